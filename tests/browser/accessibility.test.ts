import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, newPage } from '../harness/browser.ts';
import { audit, overflowOf } from './audit.ts';
import { startStage, type Stage } from './stage.ts';

const browser = await launchBrowser();

describe.skipIf(!browser)('every page, light and dark, wide and at 375 px', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage({ markets: 60, days: 40 });
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await stage.stop();
  });
  const pathOf = {
    keywords: () => `/apps/${stage.appId}/keywords`,
    keyword: () => `/keywords/${stage.history.keywords[1]!.id}`,
    overview: () => `/apps/${stage.appId}`,
    welcome: () => '/welcome',
    capacity: () => '/capacity',
    settings: () => '/settings',
    'a page that is not there': () => '/no-such-page',
  };

  // Each page is loaded once a width and turned over where it stands: wide it opens in the light, narrow in the dark.
  describe.each([
    { width: 1280, schemes: ['light', 'dark'] },
    { width: 375, schemes: ['dark', 'light'] },
  ] as const)('$schemes.0, then $schemes.1, at $width', ({ width, schemes }) => {
    test.each(Object.entries(pathOf))(
      '%s',
      async (_name, path) => {
        const { page, consoleErrors, foreignRequests, settled, close } = await stage.open(browser!, path(), { colorScheme: schemes[0], width });
        for (const colorScheme of schemes) {
          await page.emulateMedia({ colorScheme });
          await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
          await settled();
          expect({ colorScheme, violations: await audit(page) }).toEqual({ colorScheme, violations: [] });
          expect(await overflowOf(page)).toBeLessThanOrEqual(0);
        }
        expect({ consoleErrors, foreignRequests }).toEqual({ consoleErrors: [], foreignRequests: [] });
        await close();
      },
      120_000,
    );

    test.each(schemes)('sign-in, %s', async (colorScheme) => {
      const { page, consoleErrors, close } = await newPage(browser!, { colorScheme, width });
      await page.goto(`${stage.webUrl}/settings`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(page.url()).toContain('/sign-in?next=%2Fsettings');
      expect(await audit(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      expect(consoleErrors).toEqual([]);
      await close();
    });
  });

  test('at 375 px what is pressed most is at least 44 px high', async () => {
    const { page, close } = await stage.open(browser!, pathOf.keywords(), { width: 375 });
    await page.locator('[data-index="0"]').waitFor();
    for (const name of ['Add keywords', 'Open the menu']) {
      expect((await page.getByRole('button', { name }).boundingBox())!.height).toBeGreaterThanOrEqual(44);
    }
    await page.getByRole('button', { name: 'Open the menu' }).click();
    const link = page.getByRole('dialog').getByRole('link', { name: 'Capacity' });
    await link.waitFor();
    expect((await link.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    expect(await audit(page)).toEqual([]);
    await close();
  });

  test('a token is shown once, and a chosen colour scheme stays', async () => {
    const { page, consoleErrors, close } = await stage.open(browser!, '/settings?tab=tokens');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Spreadsheet');
    expect(await audit(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    const secret = await page.getByTestId('token').textContent();
    expect(secret!.length).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('button', { name: 'Revoke Spreadsheet' }).waitFor();
    await page.getByRole('button', { name: /^Colours/ }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Revoke Spreadsheet' }).waitFor();
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    expect(await page.content()).not.toContain(secret);
    expect(consoleErrors).toEqual([]);
    await close();
  });
});
