import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { makeLines, makeRows, writeXlsx } from '../harness/popularity-file.ts';
import { lastMonth } from '../harness/popularity-import.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';

const browser = await launchBrowser();
let testApp: DemoTestApp;

describe.skipIf(!browser)('published popularity', () => {
  beforeAll(async () => {
    testApp = await startDemoTestApp({ worker: true });
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  test('a selected term and its country are in the dialog that adds keywords', async () => {
    const path = `/apps/${testApp.apps.ios}/popularity?genre=travel&in=de`;
    const { page, close } = await testApp.open(browser!, path);
    const box = page.getByRole('checkbox').first();
    await box.waitFor();
    const term = (await box.getAttribute('aria-label'))!.replace('Track ', '');
    await box.check();
    await page.getByRole('button', { name: 'Track 1 term' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 new').waitFor();
    expect(await dialog.getByLabel('Phrases').inputValue()).toBe(term);
    expect(new URL(page.url()).searchParams.get('country')).toBe('de');
    await close();
  }, 60_000);

  test('an uploaded workbook is imported, with its result by country', async () => {
    const { page, close } = await testApp.open(browser!, '/settings?tab=popularity');
    const month = lastMonth();
    const rows = makeRows({ month, countries: ['France', 'Atlantis'], perGenre: 4 });
    await page.locator('input[type=file]').setInputFiles({
      name: 'terms.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: writeXlsx(makeLines(rows, { month })),
    });
    await page.getByText('120 rows read, 60 refused').waitFor({ timeout: 45_000 });
    await page.getByText('Unknown country').waitFor();
    await page.getByRole('cell', { name: 'France' }).waitFor();
    await close();
  }, 60_000);
});
