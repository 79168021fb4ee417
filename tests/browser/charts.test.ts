import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { launchBrowser } from '../harness/browser.ts';
import { audit, overflowOf } from './accessibility-audit.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

const browser = await launchBrowser();

const formatDay = (day: string): string =>
  new Intl.DateTimeFormat('en', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).format(Date.parse(`${day}T00:00:00Z`));

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

const takeShot = async (page: Page, name: string) => {
  if (!process.env.SHOTS) return;
  await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: `${process.env.SHOTS}/${name}-dark.png` });
  await page.emulateMedia({ colorScheme: 'light' });
};

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
  });
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
    await expect.poll(() => chart.getAttribute('aria-label')).toContain(words);

    const cursor = page.getByRole('slider', { name: 'Values of the chart' }).first();
    await cursor.focus();
    await page.keyboard.press('Home');
    await expect
      .poll(() => cursor.getAttribute('aria-valuetext'))
      .toContain(`${formatDay(from)}: `);

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
    await expect.poll(() => new URL(page.url()).searchParams.get('versus')).toContain(from);
    expect([consoleErrors, await audit(page)]).toEqual([[], []]);
    await close();
  });

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
    // All keywords of the first day are paused on the last one.
    const noChecks = { index: null, coverage: null, followed: 0, checked: 0, ranked: 0 };
    await page.route(/\/visibility\?.*keywords=same/, async (route) => {
      const response = await route.fetch();
      const found = await response.json();
      const items = found.items.map((day: object, index: number) => ({
        ...day,
        ...noChecks,
        added: Number(index === 3),
      }));
      const inputs = { ...found.inputs, weighting: 'equal', keywords: 0, scored: 0 };
      await route.fulfill({ response, json: { ...found, inputs, items } });
    });
    await page.reload();
    const card = page.getByRole('region', { name: 'Visibility', exact: true });
    const reason = 'No keyword was tracked on both the first and the last day';
    await card.getByText(reason).waitFor();
    await page.locator('dl').getByText(reason).waitFor();
    await takeShot(page, 'visibility-no-same-375');
    expect([await audit(page), await overflowOf(page)]).toEqual([[], 0]);
    await card.getByText('All keywords', { exact: true }).click();
    await card.getByRole('img', { name: /^Visibility index from/ }).waitFor();
    const all = card.getByRole('radio', { name: 'All keywords' });
    expect(await all.evaluate((radio) => radio === document.activeElement)).toBe(true);
    await page.unrouteAll({ behavior: 'wait' });
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
  });

  test('shows the visibility of chosen competitors, on the same keywords', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(
      browser!,
      `/apps/${testApp.apps.ios}?days=7`,
    );
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    const card = page.getByRole('region', { name: 'Visibility', exact: true });
    await card.getByRole('img').locator('svg').waitFor();
    expect(requested.filter((path) => path.includes('/competitors'))).toEqual([]);
    const lines = () => card.locator('svg path[fill="none"]').count();
    const before = await lines();
    await card.getByRole('button', { name: 'Competitors' }).click();
    const choice = card.getByRole('group', { name: 'Compare with' });
    await choice.getByRole('button').nth(1).waitFor();
    const names = await choice.getByRole('button').allTextContents();
    // The focus is not lost with the button that was pressed.
    await expect.poll(() => focused(page)).toBe(names[0]);
    await choice.getByRole('button', { name: names[0]! }).click();
    await expect.poll(lines).toBe(before + 1);
    const id = /competitors="?(\d+)/.exec(decodeURIComponent(page.url()))![1];
    const today = utcDayOf(new Date());
    const { items, inputs } = await page.evaluate(
      async (path) => (await fetch(`/api/backend${path}`)).json(),
      `/apps/${testApp.apps.ios}/competitors/${id}/visibility?keywords=same` +
        `&from=${addDays(today, -6)}&to=${today}`,
    );
    await card.getByText(`Competitors count the same ${inputs.keywords} keywords`).waitFor();
    const day = items.findLast(({ index }: { index: number | null }) => index !== null);
    expect(day.index).toBeGreaterThan(0);
    const cursor = card.getByRole('slider', { name: 'Values of the chart' });
    await cursor.focus();
    await page.keyboard.press('End');
    for (let at = items.length - 1; items[at] !== day; at -= 1)
      await page.keyboard.press('ArrowLeft');
    const shown = new Intl.NumberFormat('en', { maximumFractionDigits: 2 }).format(day.index);
    await expect
      .poll(() => cursor.getAttribute('aria-valuetext'))
      .toContain(`${names[0]}: ${shown}`);
    const saved = page.waitForEvent('download');
    await card.getByRole('button', { name: 'Save: Visibility' }).click();
    await page.getByRole('menuitem', { name: 'Table (CSV)' }).click();
    const [head, ...rows] = (await readFile(await (await saved).path(), 'utf8'))
      .trim()
      .split('\r\n');
    expect(head!.endsWith(names[0]!)).toBe(true);
    expect(rows.find((row) => row.startsWith(day.date))!.endsWith(`,${day.index}`)).toBe(true);
    await takeShot(page, 'visibility-competitors');
    expect(await audit(page)).toEqual([]);

    // The address has the choice. Hundreds of competitors are one field.
    await page.setViewportSize({ width: 375, height: 812 });
    await page.route(/\/apps\/\d+\/competitors(\?|$)/, async (route) => {
      const response = await route.fetch();
      const list = await response.json();
      const many = Array.from({ length: 300 }, (_, index) => ({
        ...list.items[0],
        id: 10_000 + index,
        name: `Competitor ${index}`,
      }));
      await route.fulfill({ response, json: { ...list, items: [...list.items, ...many] } });
    });
    await page.reload();
    await loaded();
    await choice.getByRole('combobox', { name: 'Competitors' }).waitFor();
    expect(await choice.getByRole('button', { name: /^Competitor \d/ }).count()).toBe(0);
    await choice.getByRole('button', { name: names[0]!, pressed: true }).waitFor();
    await expect.poll(lines).toBe(before + 1);
    await takeShot(page, 'visibility-competitors-375');
    expect([consoleErrors, await audit(page), await overflowOf(page)]).toEqual([[], [], 0]);
    await close();
  });

  test('shows chosen competitors in the charts of a category', async () => {
    const path = `/apps/${testApp.apps.ios}`;
    const { page, loaded, consoleErrors, close } = await testApp.open(
      browser!,
      `${path}/charts?days=7`,
    );
    await loaded();
    const choice = page.getByRole('group', { name: 'Compare with' });
    await expect.poll(() => choice.getByRole('button').count()).toBeGreaterThan(0);
    // A competitor in one of the charts of the app.
    const read = (at: string) =>
      page.evaluate(async (where) => (await fetch(`/api/backend${where}`)).json(), `${path}${at}`);
    const competitors: { id: number; name: string }[] = (await read('/competitors')).items;
    const found = await Promise.all(
      competitors.map(async ({ id, name }) => {
        const { items } = await read(`/competitors/${id}/category-ranks?limit=500`);
        return { id, name, rank: items.find((rank: { position: number | null }) => rank.position) };
      }),
    );
    const { id, name, rank } = found.find((one) => one.rank)!;
    const cell = `${rank.country}.${rank.category?.id ?? 'all'}.${rank.chart}`;
    await page.goto(`${testApp.webUrl}${path}/charts?days=30&cell=${cell}`);
    await loaded();
    const lines = page.locator('[data-chart]').first().locator('svg path[fill="none"]');
    const before = await lines.count();
    await choice.getByRole('button', { name }).click();
    await expect.poll(() => lines.count()).toBe(before + 1);
    expect(decodeURIComponent(page.url())).toContain(`competitors="${id}"`);
    await takeShot(page, 'category-competitors');
    const table = page.getByRole('radiogroup', { name: 'Show as' }).first();
    await table.getByText('Table').click();
    await page.getByRole('columnheader', { name, exact: true }).waitFor();
    const row = page.getByRole('row').filter({ hasText: formatDay(rank.date) });
    await expect.poll(() => row.getByRole('cell').last().textContent()).toBe(String(rank.position));
    await table.getByText('Chart').click();
    await page.setViewportSize({ width: 375, height: 812 });
    await loaded();
    await takeShot(page, 'category-competitors-375');
    expect([consoleErrors, await audit(page), await overflowOf(page)]).toEqual([[], [], 0]);
    await close();
  });

  test('groups events of neighbouring days in one mark with a list', async () => {
    const app = testApp.apps.ios;
    const today = utcDayOf(new Date());
    const days = [-3, -3, -2, -5].map((by) => addDays(today, by));
    const texts = ['First campaign', 'New screenshots', 'Second campaign', 'Price change'];
    const { rows } = await testApp.pool.query(
      `insert into annotations (workspace_id, app_id, on_date, text, created_at)
       select $1, $2, d, n, now() from unnest($3::date[], $4::text[]) as a(d, n) returning id`,
      [testApp.workspaceId, app, days, texts],
    );
    const { page, loaded, consoleErrors, close } = await testApp.open(
      browser!,
      `/apps/${app}?days=30`,
    );
    // A card that arrives late would move the chart away from the pointer.
    await loaded();
    const card = page.getByRole('region', { name: 'Visibility', exact: true });
    const marks = card.getByRole('group', { name: 'Events in the chart' });
    // Two days of different years have both years.
    const first = formatDay(days[0]!).replace(/,.*/, '');
    const ofDay = new RegExp(`^\\d+ events, ${first}(, \\d{4})? – `);
    const group = marks.getByRole('button', { name: ofDay });
    await group.waitFor();
    const list = card.getByRole('tooltip');
    await group.hover();
    for (const text of texts.slice(0, 3)) await list.getByText(text).waitFor();
    expect(await list.getByText(texts[3]!).count()).toBe(0);
    // The pointer can move to the list, which stays.
    await list.hover();
    await list.getByText(texts[0]!).waitFor();
    await page.mouse.move(0, 0);
    await list.waitFor({ state: 'detached' });

    // One stop of the keyboard for all marks; Escape closes the list.
    const buttons = marks.getByRole('button');
    const stops = await buttons.evaluateAll(
      (all) => all.filter((one) => (one as HTMLElement).tabIndex === 0).length,
    );
    expect(stops).toBe(1);
    await card.getByRole('slider', { name: 'Values of the chart' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Home');
    const order = await buttons.evaluateAll((all) =>
      all.map((one) => one.getAttribute('aria-label')),
    );
    const at = order.findIndex((label) => ofDay.test(label!));
    for (let step = 0; step < at; step += 1) await page.keyboard.press('ArrowRight');
    await list.getByText(texts[2]!).waitFor();
    expect(await group.getAttribute('aria-describedby')).toBe(await list.getAttribute('id'));
    await takeShot(page, 'marks');
    expect(await audit(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });

    // On a phone no two marks overlap, and a tap opens the list.
    await page.setViewportSize({ width: 375, height: 812 });
    await card.scrollIntoViewIfNeeded();
    // The chart measures its new width in a later frame.
    await expect
      .poll(() =>
        buttons.evaluateAll((all) => {
          const boxes = all.map((one) => one.getBoundingClientRect());
          return {
            isInView: boxes.every(({ right }) => right <= innerWidth),
            tooSmall: boxes.filter(({ width }) => width < 24).length,
            overlaps: boxes.filter(({ left }, index) => left < (boxes[index - 1]?.right ?? 0) - 0.5)
              .length,
          };
        }),
      )
      .toEqual({ isInView: true, tooSmall: 0, overlaps: 0 });
    await buttons.nth(0).click();
    await list.waitFor();
    await takeShot(page, 'marks-375');
    expect([consoleErrors, await audit(page), await overflowOf(page)]).toEqual([[], [], 0]);
    await testApp.pool.query('delete from annotations where id = any($1)', [
      rows.map(({ id }) => id),
    ]);
    await close();
  });

  test('takes annotations in place, by mouse and by keyboard', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(
      browser!,
      `/apps/${testApp.apps.ios}?days=7`,
    );
    // A card that arrives late would move the chart away from the pointer.
    await loaded();
    const name = /^Visibility index from/;
    await page.getByRole('img', { name }).locator('svg').waitFor();
    const { x, y } = await pointOf(page, name, 0.5);
    await page.mouse.move(x, y);
    await page.mouse.click(x, y);
    const dialog = page.getByRole('dialog', { name: /^Annotations on / });
    await dialog.getByRole('button', { name: 'Add annotation' }).click();
    const text = dialog.getByLabel('Text');
    await text.fill('New icon released');
    // This Escape ends the composition of an input method, and keeps the annotation.
    await text.dispatchEvent('keydown', { key: 'Escape', isComposing: true });
    await text.dispatchEvent('keydown', { key: 'Escape', keyCode: 229 });
    expect(await text.inputValue()).toBe('New icon released');
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
    await expect.poll(list).toEqual([{ day, text: 'New icon released' }]);

    // The same day by keyboard: its values are read out, and Enter opens it.
    const cursor = page.getByRole('slider', { name: 'Values of the chart' });
    await expect
      .poll(async () => {
        // The dialog that was closed may take the focus once more, to return it.
        await cursor.focus();
        for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft'])
          await page.keyboard.press(key);
        return cursor.getAttribute('aria-valuetext');
      })
      .toContain('New icon released');
    await expect.poll(() => cursor.getAttribute('aria-valuetext')).toContain(formatDay(day));
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
  });

  test('of usage keeps the focus at the period that is chosen', async () => {
    const { page, loaded, close } = await testApp.open(browser!, '/settings?tab=usage');
    await page.getByRole('radio', { name: '30 days' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/period=/);
    await loaded();
    const chosen = () =>
      page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.value);
    expect(await chosen()).toBe('90');
    await close();
  });

  test('shows the day that another chart of the page points at', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(
      browser!,
      `/apps/${testApp.apps.ios}/distribution?days=7`,
    );
    // A card that arrives late would move the chart away from the pointer.
    await loaded();
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
  });

  test('shows a typed day when it is complete, and never one in between', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(
      browser!,
      `/apps/${testApp.apps.ios}/charts`,
    );
    // What the page asks for when it opens is not counted below.
    await loaded();
    const search = (name: string) => new URL(page.url()).searchParams.get(name);
    const day = addDays(utcDayOf(new Date()), -2);
    const digits = `${day.slice(5, 7)}${day.slice(8)}${day.slice(0, 4)}`;
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    // Of the tables only: the chart beside one has its own day.
    const dates = () =>
      new Set(
        requested.flatMap(
          (url) => /(?:pivot\?date|compare\?.*\ba)=([\d-]+)/.exec(url)?.at(1) ?? [],
        ),
      );

    const field = page.getByLabel('Day', { exact: true });
    await expect.poll(() => field.inputValue()).not.toBe('');
    const latest = await field.inputValue();
    await field.focus();
    await page.keyboard.type(digits);
    expect([search('date'), [...dates()]]).toEqual([null, []]);
    await page.keyboard.press('Enter');
    await expect.poll(() => search('date')).toBe(day);
    await expect.poll(() => [...dates()]).toEqual([day]);
    // An empty field asks for the latest positions again.
    await field.fill('');
    await page.keyboard.press('Enter');
    await expect.poll(() => search('date')).toBe(null);
    await expect.poll(() => field.inputValue()).toBe(latest);
    // A day that a link leads to replaces it, and leaving the field changes nothing.
    await field.fill('');
    await page.keyboard.press('Enter');
    await goTo(page, `/apps/${testApp.apps.ios}/charts?date=${day}`);
    await expect.poll(() => field.inputValue()).toBe(day);
    await field.focus();
    await field.blur();
    expect([search('date'), await field.inputValue()]).toEqual([day, day]);

    await goTo(page, `/apps/${testApp.apps.ios}/distribution?days=30`);
    const [first, second] = ['First day', 'Second day'].map((label) =>
      page.locator('input[type="date"]').and(page.getByLabel(label)),
    );
    await expect.poll(() => first!.inputValue()).not.toBe('');
    await loaded();
    requested.length = 0;
    await first!.focus();
    await page.keyboard.type(digits);
    await second!.focus();
    await expect.poll(() => search('a')).toBe(day);
    await expect.poll(() => [...dates()]).toEqual([day]);
    expect([consoleErrors, await audit(page)]).toEqual([[], []]);
    await close();
  });
});
