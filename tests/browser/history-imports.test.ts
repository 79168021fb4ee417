import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { draw } from '../harness/short-form.ts';
import { audit, overflowOf } from './accessibility-audit.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';

const browser = await launchBrowser();
let testApp: DemoTestApp;
let keywords: { phrase: string; country: string }[];
const pictures = process.env.HISTORY_PICTURES;

const chooseFile = (page: Page, name: string, text: string) =>
  page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

describe.skipIf(!browser)('a history of another tool', () => {
  beforeAll(async () => {
    testApp = await startDemoTestApp({ worker: true });
    const { rows } = await testApp.pool.query(
      `select phrase, country from keywords where app_id = $1 and device = 'iphone'
       order by id limit 3`,
      [testApp.apps.ios],
    );
    keywords = rows;
  });
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  test.each(
    draw('looks of an import', 1, [
      ['light', 1280],
      ['dark', 375],
    ] as const),
  )('is recognized, checked and imported (%s, %i)', async (colorScheme, width) => {
    const day = width === 375 ? 1 : 11;
    const head = keywords.map(({ phrase, country }) => `${phrase} (${country.toUpperCase()})`);
    const file = [
      `date,${head.join(',')}`,
      `2025-03-${String(day).padStart(2, '0')},5,>200,`,
      `2025-03-${String(day + 1).padStart(2, '0')},6,0,17`,
    ].join('\r\n');
    const { page, close } = await testApp.open(browser!, '/imports-exports?tab=import', {
      colorScheme,
      width,
    });
    const picture = async (name: string) => {
      if (pictures !== undefined)
        await page.screenshot({ path: `${pictures}/${name}-${colorScheme}.png`, fullPage: true });
    };
    await chooseFile(page, 'rankings.csv', `\ufeff${file}`);
    await page.getByText('Recognized as a file of AsoBeast').waitFor();
    await page.getByText('refused: no position', { exact: false }).first().waitFor();
    await picture('preview');
    expect([await audit(page), await overflowOf(page)]).toEqual([[], 0]);
    await page.getByRole('button', { name: 'Check the whole file' }).click();
    // The worker may still be starting.
    await page.getByText('4 rows to be imported').waitFor({ timeout: 120_000 });
    await page.getByText('2 rows refused').waitFor();
    await page.getByText('Empty cells of the table are counted here').waitFor();
    const results = page.getByRole('region', { name: 'Result per row' }).locator('td:last-child');
    await expect.poll(() => results.allTextContents()).toContain('to be imported');
    await picture('checked');
    expect([await audit(page), await overflowOf(page)]).toEqual([[], 0]);
    // Changed settings are not those of the check, which an import would repeat.
    const run = page.getByRole('button', { name: 'Import 4 rows' });
    const changed = page.getByText('The settings above have changed.');
    const deeper = page.getByRole('checkbox', { name: /^Import positions above 200/ });
    await deeper.check();
    await changed.waitFor();
    await expect.poll(() => run.isDisabled()).toBe(true);
    await picture('changed');
    expect([await audit(page), await overflowOf(page)]).toEqual([[], 0]);
    await deeper.uncheck();
    await changed.waitFor({ state: 'detached' });
    await run.click();
    await page.getByText('4 rows imported', { exact: true }).waitFor({ timeout: 120_000 });
    await expect.poll(() => results.allTextContents()).toContain('imported');
    await expect.poll(() => results.allTextContents()).not.toContain('to be imported');
    await picture('imported');
    await close();
  });

  test('an ambiguous date has to be chosen before a check', async () => {
    const { phrase, country } = keywords[0]!;
    const { page, close } = await testApp.open(browser!, '/imports-exports?tab=import');
    await chooseFile(
      page,
      'ranks.csv',
      `Keyword;Country;Date;Rank\n${phrase};${country};03/04/2025;7\n`,
    );
    await page.getByText('Still missing: the date format.').waitFor();
    const check = page.getByRole('button', { name: 'Check the whole file' });
    await expect.poll(() => check.isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Date format' }).click();
    await page.getByRole('option', { name: 'month/day/year' }).click();
    await page.getByText('4 Mar 2025').or(page.getByText('Mar 4, 2025')).first().waitFor();
    await expect.poll(() => check.isDisabled()).toBe(false);
    await close();
  });

  test('a typed day is read when it is complete, and a refused setting loses nothing', async () => {
    const { phrase, country } = keywords[0]!;
    const { page, close } = await testApp.open(browser!, '/imports-exports?tab=import');
    await chooseFile(page, 'today.csv', `Keyword;Country;Rank\n${phrase};${country};7\n`);
    const day = page.getByLabel('Date of all rows');
    await day.waitFor();
    const years: string[] = [];
    page.on('request', (request) => {
      const { reading } = (request.postDataJSON() ?? {}) as { reading?: { date?: string } };
      if (request.url().endsWith('/preview')) years.push(reading?.date?.slice(0, 4) ?? '');
    });
    await day.focus();
    await page.keyboard.type('03112026', { delay: 80 });
    await page.keyboard.press('Enter');
    const cells = page.getByRole('region', { name: 'Preview' }).locator('tbody td');
    await expect.poll(() => cells.allTextContents()).toContainEqual(expect.stringMatching(/2026/));
    expect(new Set(years)).toEqual(new Set(['2026']));

    const words = page.getByRole('combobox', { name: /^Values that mean/ });
    await words.fill('x'.repeat(41));
    await words.press('Enter');
    const refusal = page.getByRole('alert');
    await refusal.waitFor();
    expect(await refusal.textContent()).toContain('Values that mean “not found”: ');
    const check = page.getByRole('button', { name: 'Check the whole file' });
    await expect.poll(() => check.isDisabled()).toBe(true);
    expect(await day.inputValue()).toMatch(/^2026-/);
    expect(await cells.count()).toBeGreaterThan(0);
    if (pictures !== undefined)
      await page.screenshot({ path: `${pictures}/refused.png`, fullPage: true });
    await words.press('Backspace');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await expect.poll(() => check.isDisabled()).toBe(false);
    await close();
  });
});
