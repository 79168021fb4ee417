import type { Page } from 'playwright-core';
import { untilStill } from './accessibility-audit.ts';

/** Changes the system's colours. Resolves when the whole page has the new ones. */
export async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page
    .locator(`html[data-mantine-color-scheme="${colorScheme}"]`)
    .waitFor({ state: 'attached' });
  await untilStill(page);
}
