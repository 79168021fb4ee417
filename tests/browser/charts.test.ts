import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { launchBrowser } from '../harness/browser.ts';
import { audit, overflowOf } from './accessibility-audit.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';

const browser = await launchBrowser();

const formatDay = (day: string): string =>
  new Intl.DateTimeFormat('en', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).format(Date.parse(`${day}T00:00:00Z`));

/** The middle of a column, by its share of the plot. */
async function pointOf(page: Page, name: RegExp, share: number) {
  const chart = page.getByRole('img', { name });
  await chart.scrollIntoViewIfNeeded();
  const box = (await chart.boundingBox())!;
  return { x: box.x + 44 + (box.width - 60) * share, y: box.y + box.height / 2 };
}

describe.skipIf(!browser)('a chart', () => {
  let testApp: DemoTestApp;
  beforeAll(async () => {
    testApp = await startDemoTestApp();
  }, 300_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  test('compares a period with the one before: line, words, tooltip and CSV', async () => {
    const { page, consoleErrors, close } = await testApp.open(
      browser!,
      `/keywords/${testApp.keywordId}?days=7`,
    );
    const chart = page.getByRole('img', { name: /^Position of/ });
    await chart.locator('svg').waitFor();
    const dashed = chart.locator('svg path[stroke-dasharray]');
    expect(await dashed.count()).toBe(0);
    await page.locator('input[aria-label="Compare with another period"]').first().click();
    await page.getByRole('option', { name: 'Previous period' }).click();
    await dashed.first().waitFor();
    const today = utcDayOf(new Date());
    const [from, to] = [addDays(today, -13), addDays(today, -7)];
    const { items } = await page.evaluate(
      async (path) => (await fetch(`/api/backend${path}`)).json(),
      `/keywords/${testApp.keywordId}/rankings?from=${from}&to=${to}&fill=gaps`,
    );
    const ranked: { date: string; position: number }[] = items.filter(
      ({ state }: { state: string }) => state === 'ranked',
    );
    expect(ranked.length).toBeGreaterThan(0);
    const average = ranked.reduce((sum, { position }) => sum + position, 0) / ranked.length;
    const shown = new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(average);
    const words = `average position ${shown} on ${ranked.length} day`;
    const item = page.getByRole('listitem').filter({ hasText: words });
    await item.first().waitFor();
    expect(await chart.getAttribute('aria-label')).toContain(words);

    const cursor = page.getByRole('slider', { name: 'Values of the chart' }).first();
    await cursor.focus();
    await page.keyboard.press('Home');
    expect(await cursor.getAttribute('aria-valuetext')).toContain(`${formatDay(from)}: `);

    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save: Position history' }).click();
    await page.getByRole('menuitem', { name: 'Table (CSV)' }).click();
    const csv = await readFile(await (await saved).path(), 'utf8');
    expect(csv).toContain('Compared day,Position in the compared period');
    for (const { date, position } of ranked) expect(csv).toContain(`${date},${position}`);

    // A year earlier there is nothing, and it says so. A chosen day is kept in the address.
    await page.locator('input[aria-label="Compare with another period"]').first().click();
    await page.getByRole('option', { name: 'A year earlier' }).click();
    await page.getByText(/: no positions$/).waitFor();
    await page.locator('input[aria-label="Compare with another period"]').first().click();
    await page.getByRole('option', { name: 'Choose a period' }).click();
    await page.getByLabel('First day of the compared period').fill(from);
    await page.getByRole('listitem').filter({ hasText: words }).first().waitFor();
    expect(new URL(page.url()).searchParams.get('versus')).toContain(from);
    expect([consoleErrors, await audit(page)]).toEqual([[], []]);
    await close();
  }, 120_000);

  test('compares visibility and category positions too, also on a phone', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(
      browser!,
      `/apps/${testApp.apps.ios}?days=7&versus=previous`,
      { width: 375 },
    );
    await page
      .getByRole('listitem')
      .filter({ hasText: /: average [\d.]+ on \d+ days?, / })
      .first()
      .waitFor();
    expect([await audit(page), await overflowOf(page)]).toEqual([[], 0]);
    await page.goto(`${testApp.webUrl}/apps/${testApp.apps.ios}/charts?days=7&versus=previous`);
    await loaded();
    await page.locator('table button, table a').first().click();
    await page
      .getByRole('listitem')
      .filter({ hasText: /average position|no positions/ })
      .nth(1)
      .waitFor();
    expect([await audit(page), await overflowOf(page)]).toEqual([[], 0]);
    expect(consoleErrors).toEqual([]);
    await close();
  }, 120_000);

  test('takes annotations in place, by mouse and by keyboard', async () => {
    const { page, consoleErrors, close } = await testApp.open(
      browser!,
      `/apps/${testApp.apps.ios}?days=7`,
    );
    const name = /^Visibility index from/;
    await page.getByRole('img', { name }).locator('svg').waitFor();
    const { x, y } = await pointOf(page, name, 0.5);
    await page.mouse.move(x, y);
    await page.mouse.click(x, y);
    const dialog = page.getByRole('dialog', { name: /^Annotations on / });
    await dialog.getByRole('button', { name: 'Add annotation' }).click();
    await dialog.getByLabel('Text').fill('New icon released');
    expect(await audit(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const day = addDays(utcDayOf(new Date()), -3);
    const list = () =>
      testApp.pool
        .query('select on_date::text as day, text from annotations where text like $1', [
          'New icon%',
        ])
        .then(({ rows }) => rows);
    expect(await list()).toEqual([{ day, text: 'New icon released' }]);

    // The same day by keyboard: its values are read out, and Enter opens it.
    const cursor = page.getByRole('slider', { name: 'Values of the chart' });
    await cursor.focus();
    await page.keyboard.press('End');
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowLeft');
    await expect.poll(() => cursor.getAttribute('aria-valuetext')).toContain('New icon released');
    expect(await cursor.getAttribute('aria-valuetext')).toContain(formatDay(day));
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Edit annotation: New icon released' }).click();
    await dialog.getByLabel('Text').fill('New icon and name released');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(list).toEqual([{ day, text: 'New icon and name released' }]);
    await dialog.getByRole('paragraph').filter({ hasText: 'New icon and name' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect
      .poll(() => cursor.evaluate((element) => element === document.activeElement))
      .toBe(true);
    expect(consoleErrors).toEqual([]);
    await close();
  }, 120_000);

  test('shows the day that another chart of the page points at', async () => {
    const { page, consoleErrors, close } = await testApp.open(
      browser!,
      `/apps/${testApp.apps.ios}/distribution?days=7`,
    );
    const name = /^Number of keywords in each position range/;
    await page.getByRole('img', { name }).locator('svg').waitFor();
    const cursors = page.getByRole('slider', { name: 'Values of the chart' });
    await expect.poll(() => cursors.count()).toBe(2);
    const { x, y } = await pointOf(page, name, 0.5);
    const tips = (text: string) => page.locator('[data-chart]').getByText(text, { exact: true });
    const day = formatDay(addDays(utcDayOf(new Date()), -3));
    await page.mouse.move(x, y);
    await expect.poll(() => tips(day).count()).toBe(2);
    await page.mouse.move(0, 0);
    await expect.poll(() => tips(day).count()).toBe(0);
    await cursors.nth(1).focus();
    await page.keyboard.press('ArrowLeft');
    const other = formatDay(addDays(utcDayOf(new Date()), -1));
    await expect.poll(() => tips(other).count()).toBe(2);
    expect([consoleErrors, await audit(page)]).toEqual([[], []]);
    await close();
  }, 120_000);
});
