import type { Page } from 'playwright-core';
import { untilStill } from './accessibility-audit.ts';

/**
 * As when the reader's system changes its colours. Resolves when all of the page has the new ones.
 */
export async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page
    .locator(`html[data-mantine-color-scheme="${colorScheme}"]`)
    .waitFor({ state: 'attached' });
  await untilStill(page);
}
