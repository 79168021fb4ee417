import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, listDays, utcDayOf } from '#lib/dates.ts';
import { launchBrowser } from '../harness/browser.ts';
import { draw } from '../harness/short-form.ts';
import { audit, overflowOf } from './accessibility-audit.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';
import { keyboardOf } from './keyboard.ts';

const browser = await launchBrowser();

const today = utcDayOf(new Date());
const range = { from: addDays(today, -12), to: addDays(today, -5) };
const inAddress = `from=${range.from}&to=${range.to}`;
/** The format that an American types into a field. */
const typed = (day: string) => `${day.slice(5, 7)}${day.slice(8)}${day.slice(0, 4)}`;
const formatDay = (day: string, year?: 'numeric') =>
  new Intl.DateTimeFormat('en', { timeZone: 'UTC', day: 'numeric', month: 'short', year }).format(
    Date.parse(`${day}T00:00:00Z`),
  );
const select = (page: Page) => page.getByRole('combobox', { name: 'Period', exact: true });
const endOf = (page: Page, name: 'Start date' | 'End date') =>
  page.getByRole('dialog').getByLabel(name);
const hasFocus = (page: Page) =>
  expect
    .poll(() => select(page).evaluate((element) => element === document.activeElement))
    .toBe(true);

/** With the keyboard only, from any option of the list. */
async function openRange(page: Page): Promise<void> {
  await page.keyboard.press('ArrowDown');
  const item = page.getByRole('option', { name: 'Custom range…' });
  await item.waitFor();
  await expect
    .poll(async () => {
      await page.keyboard.press('ArrowDown');
      return item.getAttribute('data-combobox-selected');
    })
    .toBe('true');
  await page.keyboard.press('Enter');
  await endOf(page, 'Start date').waitFor();
  await page.waitForFunction(() => document.activeElement?.matches('input[type=date]'));
}

describe.skipIf(!browser)('a range of days', () => {
  let testApp: DemoTestApp;
  const overview = () => `/apps/${testApp.apps.ios}`;
  beforeAll(async () => {
    testApp = await startDemoTestApp();
  });
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  test('is chosen by keyboard, kept in the address, and carried to other pages', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, `${overview()}?days=90`);
    const keyboard = keyboardOf(page);
    await keyboard.reach(select(page));
    await openRange(page);
    await page.keyboard.press('Escape');
    await endOf(page, 'Start date').waitFor({ state: 'hidden' });
    await hasFocus(page);

    await openRange(page);
    await keyboard.type(typed(range.to));
    await keyboard.tabTo(endOf(page, 'End date'));
    await keyboard.type(typed(range.from));
    await keyboard.press('Enter');
    await page.getByText('The end date is before the start date.').waitFor();
    await expect.poll(() => endOf(page, 'End date').getAttribute('aria-invalid')).toBe('true');
    await endOf(page, 'Start date').fill(range.from);
    await endOf(page, 'End date').fill(range.to);
    await keyboard.press('Enter');
    await page.waitForURL(`**${overview()}?${inAddress}`);
    await hasFocus(page);

    await page.reload();
    await expect.poll(() => select(page).inputValue()).toContain(formatDay(range.from));
    for (const name of ['Distribution', 'Timeline', 'Import and export'])
      await expect
        .poll(() => page.getByRole('link', { name, exact: true }).first().getAttribute('href'))
        .toContain(inAddress);
    await expect
      .poll(() => page.getByRole('link', { name: 'Visibility', exact: true }).getAttribute('href'))
      .toContain(inAddress);
    await goTo(page, `${overview()}/keywords?${inAddress}`);
    await expect
      .poll(() => page.locator('#main a[href^="/keywords/"]').first().getAttribute('href'))
      .toContain(inAddress);
    await page.getByRole('link', { name: 'Import and export', exact: true }).click();
    const [from, to] = [page.getByLabel('Start date (UTC)'), page.getByLabel('End date (UTC)')];
    await expect.poll(() => from.inputValue()).toBe(range.from);
    // Half a range is a range only for an export.
    await to.fill('');
    await page.waitForURL((url) => !url.searchParams.has('to'));
    await expect.poll(() => from.inputValue()).toBe(range.from);
    await page.getByRole('link', { name: 'Distribution', exact: true }).click();
    await page.waitForURL(`**${overview()}/distribution`);
    await goTo(page, `${overview()}?${inAddress}`);
    await select(page).click();
    await page.getByRole('option', { name: 'Last 7 days' }).click();
    await page.waitForURL(`**${overview()}?days=7`);
    for (const wrong of [
      'from=2026-02-30&to=2026-03-01',
      `from=${today}&to=${addDays(today, 2)}`,
      `from=${today}`,
    ]) {
      await goTo(page, `${overview()}?${wrong}`);
      await expect.poll(() => select(page).inputValue()).toBe('Last 30 days');
    }
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test.each(draw('zones of readers', 1, ['Pacific/Kiritimati', 'America/Los_Angeles']))(
    'covers exactly those days for a reader in %s',
    async (timezoneId) => {
      const { page, consoleErrors, close } = await testApp.open(
        browser!,
        `/keywords/${testApp.keywordId}?${inAddress}`,
        { timezoneId },
      );
      await page.getByRole('radiogroup', { name: 'Show as' }).getByText('Table').click();
      const days = page
        .getByRole('region', { name: 'Table: Position history' })
        .locator('tbody tr > :first-child');
      const expected = listDays(range.from, range.to).toReversed();
      await expect
        .poll(() => days.allTextContents())
        .toEqual(expected.map((day) => formatDay(day, 'numeric')));
      await goTo(page, `/apps/${testApp.apps.ios}/timeline?${inAddress}`);
      await expect
        .poll(() => page.locator('#main').getByRole('status').first().textContent())
        .toContain(formatDay(range.from));
      expect(consoleErrors).toEqual([]);
      await close();
    },
  );

  test('in the past ends with its own last day, without today’s data', async () => {
    const { page, close } = await testApp.open(browser!, `${overview()}?${inAddress}`);
    const read = (at: string) =>
      page.evaluate(
        async (where) => (await fetch(`/api/backend${where}`)).json(),
        `${overview()}${at}?${inAddress}`,
      );
    const { items } = await read('/rankings/distribution');
    const last = items.findLast(
      (day: { notChecked: number; notFound: number }) => day.notChecked === 0 && day.notFound > 0,
    );
    const tile = page
      .locator('dl > div')
      .filter({ has: page.getByText('Top 10', { exact: true }) });
    await expect.poll(() => tile.textContent()).toContain(`${formatDay(last.date)}: of `);
    await expect
      .poll(() => tile.textContent())
      .toMatch(new RegExp(`^Top 10${last.top1 + last.top2to3 + last.top4to10}[▲▼=]`));
    expect(await page.getByRole('region', { name: 'Δ1' }).count()).toBe(0);
    await close();
  });

  test('of a figure is that of the page to which it links', async () => {
    const week = addDays(today, -7);
    const { page, close } = await testApp.open(browser!, `/digest?week=${week}`);
    const hrefOf = (name: string) =>
      page.locator('#main').getByRole('link', { name }).first().getAttribute('href');
    const read = (at: string) =>
      page.evaluate(async (where) => (await fetch(`/api/backend${where}`)).json(), at);
    const { from, to, apps } = await read(`/digests/weekly?week=${week}`);
    expect(apps.length).toBeGreaterThan(0);
    const hrefs = () =>
      page
        .locator('#main dl a[href*="/apps/"]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    await expect
      .poll(hrefs)
      .toEqual(
        apps.flatMap(({ appId }: { appId: number }) =>
          ['reviews', 'timeline'].map((name) => `/apps/${appId}/${name}?from=${from}&to=${to}`),
        ),
      );

    const since = addDays(today, -89);
    const { items } = await read(`${overview()}/timeline?kind=reviews&from=${since}`);
    const { date } = items[0];
    await goTo(page, `${overview()}/timeline?days=90`);
    await expect.poll(() => hrefOf('Read reviews')).toContain(`/reviews?from=${date}&to=${date}`);

    const days = { from: addDays(today, -3), to: addDays(today, -1) };
    await page.route(/\/briefing\?/, async (route) => {
      const response = await route.fetch();
      const json = { ...(await response.json()), ...days, otherMovers: 12 };
      await route.fulfill({ response, json });
    });
    await goTo(page, '/briefing');
    await expect
      .poll(() => hrefOf('12 more moves'))
      .toMatch(new RegExp(`/distribution\\?a=${days.from}&b=${days.to}(&.*)?#compare$`));
    await close();
  });

  test.each(
    draw('looks of a range', 1, [
      ['light', 1280],
      ['dark', 375],
    ] as const),
  )('is chosen alike in %s at %d', async (colorScheme, width) => {
    const { page, consoleErrors, close } = await testApp.open(
      browser!,
      `${overview()}/distribution?${inAddress}`,
      { colorScheme, width },
    );
    if (width === 375)
      await page.getByRole('button', { name: /^Country, device and period/ }).click();
    await select(page).click();
    await page.getByRole('option', { name: 'Custom range…' }).click();
    await endOf(page, 'Start date').fill(addDays(today, 3));
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText(/^Enter dates between/).waitFor();
    expect([await audit(page), await overflowOf(page)]).toEqual([[], 0]);
    await endOf(page, 'Start date').fill(addDays(range.from, 1));
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL((url) => url.searchParams.get('from') === addDays(range.from, 1));
    await hasFocus(page);
    await goTo(page, `${overview()}/charts?${inAddress}`);
    await page
      .getByRole('heading', { name: `Positions on ${formatDay(range.to, 'numeric')}` })
      .waitFor();
    // An app without countries.
    await goTo(page, `/keywords/${testApp.keywordId}?${inAddress}`);
    await (
      width === 375 ? page.getByRole('button', { name: /^Period: / }) : select(page)
    ).waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(consoleErrors).toEqual([]);
    await close();
  });
});
