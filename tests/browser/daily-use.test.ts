import { readFile } from 'node:fs/promises';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { launchBrowser, newPage } from '../harness/browser.ts';
import { draw, drawPairs } from '../harness/short-form.ts';
import { audit, overflowOf } from './accessibility-audit.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

const browser = await launchBrowser();

const widths = [1_024, 768, 375] as const;
const tables = [
  '/keywords',
  '/competitors?tab=gaps',
  '/competitors?tab=matrix',
  '/competitors?tab=compare',
  '/competitors?tab=market',
  'audit',
] as const;
const tablesAtWidths = drawPairs('tables at widths', tables, widths);

const formatDay = (day: string) =>
  new Intl.DateTimeFormat('en', { timeZone: 'UTC', day: 'numeric', month: 'short' }).format(
    Date.parse(`${day}T00:00:00Z`),
  );

/** The top of the first row of data and the heights of all rows. */
const measureRows = (page: Page): Promise<{ first: number; tallest: number }> =>
  page.evaluate(() => {
    const rows = [
      ...document.querySelectorAll('main [data-index="0"], main tbody tr:not([aria-hidden])'),
    ].map((row) => row.getBoundingClientRect());
    return { first: rows[0]!.top, tallest: Math.max(...rows.map(({ height }) => height)) };
  });

/** Buttons and checkboxes of the page below 24 px in either direction. */
const listSmallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(button, input[type=checkbox])')]
      .map((target) => ({ target, box: target.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && (box.width < 24 || box.height < 24))
      .map(({ target }) => target.getAttribute('aria-label') ?? target.textContent),
  );

/** How far the first column and the last column move when the table scrolls to its end. */
const scrollSideways = (page: Page): Promise<{ first: number; last: number }> =>
  page.evaluate(() => {
    const box = document.querySelector('main .table-scroll')!;
    const cells = [...box.querySelectorAll('tbody tr:not([aria-hidden])')[0]!.children];
    const lefts = () => [cells[0]!, cells.at(-1)!].map((cell) => cell.getBoundingClientRect().left);
    const before = lefts();
    box.scrollLeft = box.scrollWidth;
    const [first, last] = lefts().map((left, index) => Math.abs(left - before[index]!));
    return { first: first!, last: last! };
  });

describe.skipIf(!browser)('the dashboard in daily use', () => {
  let testApp: DemoTestApp;
  const ios = (rest = '') => `/apps/${testApp.apps.ios}${rest}`;
  const read = (page: Page, at: string) =>
    page.evaluate(async (where) => (await fetch(`/api/backend${where}`)).json(), at);
  beforeAll(async () => {
    testApp = await startDemoTestApp();
  });
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  test.each(widths)('keeps the first column of tables at %i px', async (width) => {
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, ios('/keywords'), {
      width,
      height: width === 375 ? 812 : 900,
    });
    for (const { row } of tablesAtWidths.filter(({ column }) => column === width)) {
      const path = row === 'audit' ? '/settings?tab=audit' : ios(row);
      await goTo(page, path);
      await loaded();
      await page.locator('main [data-index="0"], main tbody tr').first().waitFor();
      const { first, tallest } = await measureRows(page);
      if (width === 375) {
        expect({ path, isNear: first < 400, first }).toMatchObject({ path, isNear: true });
        expect({ path, small: await listSmallTargets(page) }).toEqual({ path, small: [] });
      }
      if (path.endsWith('gaps')) expect(tallest).toBeLessThan(90);
      if (!path.endsWith('/keywords')) {
        const moved = await scrollSideways(page);
        expect({ path, first: Math.round(moved.first) }).toEqual({ path, first: 0 });
        if (width === 375) expect(moved.last).toBeGreaterThan(20);
      }
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    }
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('says how few results there were, instead of a depth that was not there', async () => {
    const { page, loaded, close } = await testApp.open(browser!, ios('/methodology'));
    const { rows } = await testApp.pool.query(
      `select k.id, k.phrase, k.market_id, k.latest_on::text as day from keywords k
       where k.app_id = $1 and k.latest_position is null and k.latest_on is not null
         and not exists (select from keywords o where o.market_id = k.market_id and o.id <> k.id)
       order by k.id limit 1`,
      [testApp.apps.ios],
    );
    const [{ id, phrase, market_id: market, day }] = rows;
    for (const table of ['serps', 'last_serps'])
      await testApp.pool.query(
        `update ${table} set result_count = 12, ended = 'exhausted' where market_id = $1`,
        [market],
      );
    const keyword = await read(page, `/keywords/${id}?include=latest`);
    expect(keyword.latest).toMatchObject({ state: 'not_found', position: null, resultCount: 12 });
    const history = await read(page, `/keywords/${id}/rankings?from=${day}&to=${day}`);
    expect(history.items[0]).toMatchObject({ date: day, position: null, resultCount: 12 });
    const latest = await read(page, `/rankings/latest?appIds=${testApp.apps.ios}&limit=500`);
    const isOf = ({ keywordId }: { keywordId: number }) => keywordId === id;
    expect(latest.items.find(isOf).latest.resultCount).toBe(12);
    expect(
      latest.items.filter(
        (item: { latest: { position: number; resultCount?: number } | null }) =>
          item.latest?.position && item.latest.resultCount !== undefined,
      ),
    ).toEqual([]);

    await page.goto(`${testApp.webUrl}${ios(`/keywords?q=${encodeURIComponent(phrase)}`)}`);
    await page.getByText('not in 12', { exact: true }).first().waitFor();
    await goTo(page, `/keywords/${id}`);
    await loaded();
    await page.getByText('not among the 12 results').first().waitFor();
    expect(await audit(page)).toEqual([]);
    await goTo(page, `/keywords/${id}/serp`);
    await page.getByText(/^The store has 12 results/).waitFor();
    await close();
  });

  test('shows any range of days, up to all that are stored', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, ios());
    const period = page.getByRole('combobox', { name: 'Period', exact: true });
    const long = { from: addDays(utcDayOf(new Date()), -1_000), to: utcDayOf(new Date()) };
    await goTo(page, ios(`/distribution?from=${long.from}&to=${long.to}`));
    await expect.poll(() => period.inputValue()).toContain(long.from.slice(0, 4));
    await page.getByRole('img', { name: /^Number of keywords in each position range/ }).waitFor();
    for (const path of ['', '/timeline', '/reviews', '/reviews?tab=ratings', '/charts']) {
      const joint = path.includes('?') ? '&' : '?';
      await goTo(page, `${ios(path)}${joint}from=${long.from}&to=${long.to}`);
      await loaded();
      expect(await page.getByRole('alert').count()).toBe(0);
    }
    await goTo(page, `/keywords/${testApp.keywordId}?from=${long.from}&to=${long.to}`);
    await page
      .getByRole('img', { name: /from .* to |days/ })
      .first()
      .waitFor();

    const { items } = await read(page, ios('/markets'));
    const [first] = items.map((market: { firstDay: string }) => market.firstDay).toSorted();
    await goTo(page, ios('/distribution?days=7'));
    await period.click();
    await page.getByRole('option', { name: 'All days' }).click();
    await page.waitForURL(`**/distribution?days=all&from=${first}`);
    await expect.poll(() => period.inputValue()).toBe('All days');
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('begins lists within the first 400 px of a phone, and cuts no control', async () => {
    const { page, loaded, close } = await testApp.open(browser!, '/members', {
      width: 375,
      height: 812,
    });
    const role = page.getByRole('combobox', { name: /^Role of/ });
    expect((await role.boundingBox())!.width).toBeGreaterThan(100);
    const row = 'main tbody tr';
    for (const [path, first] of [
      [ios('/suggestions?source=listing'), row],
      [ios('/popularity?genre=health_fitness'), row],
      [ios('/listing-drafts?tab=storefronts&country=us'), row],
      [ios('/competitors'), `${row} :is(a, button) bdi`],
      [ios('/timeline'), 'main li'],
      [ios('/reviews?tab=topics'), row],
      ['/actions', 'main ul li'],
      [`/keywords/${testApp.keywordId}/serp`, 'main :is(ol, ul) li'],
    ] as const) {
      await goTo(page, path);
      await loaded();
      const box = (await page.locator(first).first().boundingBox())!;
      expect({ path, isNear: box.y < 400, y: box.y }).toMatchObject({ path, isNear: true });
      // Names of apps had no width at all.
      expect({ path, isWide: box.width > 60 }).toEqual({ path, isWide: true });
    }
    // The next step is in the first view, also while nothing is selected.
    await goTo(page, ios('/suggestions?source=listing'));
    await loaded();
    const score = page.getByRole('button', { name: /^Score \d+ phrases$/ });
    const scoreBox = (await score.boundingBox())!;
    expect(scoreBox.y + scoreBox.height).toBeLessThan(400);
    expect(scoreBox.height).toBeGreaterThanOrEqual(44);
    expect(await score.evaluate(({ parentElement }) => parentElement!.clientHeight)).toBe(44);
    await page.setViewportSize({ width: 768, height: 900 });
    await goTo(page, ios('/keywords'));
    const cut = await page
      .locator('[data-index="0"] [data-column="phrase"] a')
      .evaluate((link) => link.scrollWidth - link.clientWidth);
    expect(cut).toBeLessThanOrEqual(0);
    await close();
  });

  test('compares the same days for the same period everywhere', async () => {
    const { page, close } = await testApp.open(browser!, ios('?days=7'));
    const overview = await read(page, ios('/overview'));
    const last: string = overview.newestCheck.date;
    const [from, to] = [addDays(last, -7), last];
    const span = `${formatDay(from)} and ${formatDay(to)}:`;
    await page.getByRole('status').filter({ hasText: span }).waitFor();
    const movers = await read(page, ios(`/rankings/movers?from=${from}&to=${to}&limit=100`));
    const { gained, entered, lost, left } = overview.movers.days7;
    expect([movers.gained.length, movers.entered.length]).toEqual([gained, entered]);
    expect([movers.lost.length, movers.left.length]).toEqual([lost, left]);
    await goTo(page, ios('/distribution?days=7'));
    await page.getByText(`compared with ${formatDay(from)}`).waitFor();

    // Days of the address are those of both cards, and a link of the timeline leads to them.
    await goTo(page, ios('/timeline?kinds=rank'));
    await page.getByText('changes of position that match your alert rules.').waitFor();
    await page.getByRole('link', { name: 'See all moves since the day before' }).first().click();
    const heading = page.getByRole('heading', { name: 'Compare two days' });
    await heading.waitFor();
    await expect
      .poll(() => heading.evaluate((element) => element.getBoundingClientRect().top))
      .toBeLessThan(400);
    const a = new URL(page.url()).searchParams.get('a')!;
    await page.getByText(`change since ${formatDay(a)}`).waitFor();
    await close();
  });

  test('groups the menu, and always shows the entry of the open page', async () => {
    const { page, close } = await testApp.open(browser!, ios());
    await page.setViewportSize({ width: 1_440, height: 900 });
    const menu = page.getByRole('complementary', { name: 'Menu' });
    for (const [group, entries] of [
      ['Track', ['Overview', 'Keywords', 'Distribution', 'Timeline']],
      [
        'Research',
        ['Suggestions', 'Country finder', 'Top search terms', 'Keyword field', 'Listing drafts'],
      ],
      ['Market', ['Competitors', 'Reviews', 'Category rankings']],
    ] as const) {
      const list = menu.getByRole('list', { name: group, exact: true });
      await expect.poll(() => list.getByRole('link').allTextContents()).toEqual(entries);
    }
    const entries = [
      ['/settings', 'Settings'],
      ['/runs', 'Settings'],
      ['/capacity', 'Settings'],
      ['/members', 'Settings'],
      ['/methodology', 'Settings'],
      [ios(), 'Overview'],
      ['/alerts', 'Alerts'],
    ] as const;
    for (const { row, column: height } of drawPairs('entries at heights', entries, [900, 480])) {
      const [path, entry] = row;
      await page.setViewportSize({ width: 1_440, height });
      await goTo(page, path);
      const current = menu.locator('[aria-current]');
      await expect.poll(() => current.allTextContents()).toEqual([entry]);
      await expect
        .poll(() =>
          current.evaluate((element) => {
            const [box, view] = [
              element.getBoundingClientRect(),
              element.closest('nav')!.getBoundingClientRect(),
            ];
            return box.top >= view.top - 1 && box.bottom <= view.bottom + 1;
          }),
        )
        .toBe(true);
    }
    await goTo(page, '/settings');
    const pages = page.getByRole('navigation', { name: 'Settings and workspace' });
    await pages.getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();

    // The capacity is shown above 70 % only.
    await page.setViewportSize({ width: 1_440, height: 900 });
    const header = page.getByRole('banner');
    await header.getByText(/^Last run|^Run in progress/).waitFor();
    expect(await header.getByText(/^Capacity/).count()).toBe(0);
    await page.route('**/api/backend/jobs/budget', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), utilization: 0.83 } });
    });
    await page.reload();
    await header.getByText('Capacity 83%').waitFor();
    await close();
  });

  test('chooses competitors and keywords of the matrix instead of listing all', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(
      browser!,
      ios('/competitors?tab=matrix'),
    );
    await loaded();
    const heads = () => page.getByRole('columnheader').allTextContents();
    const { items } = await read(page, ios('/competitors'));
    await expect.poll(heads).toHaveLength(2 + Math.min(8, items.length));
    await goTo(page, ios(`/competitors?tab=matrix&competitors=${items[1].id}`));
    await expect.poll(heads).toEqual(['Phrase', expect.stringContaining('You'), items[1].name]);
    await page.getByRole('textbox', { name: 'Search phrases' }).fill('habit');
    await page.waitForURL(/phrase=habit/);
    const phrases = () => page.locator('main tbody tr td:first-child a').allTextContents();
    await expect
      .poll(phrases)
      .toSatisfy((all: string[]) => all.length > 0 && all.every((one) => one.includes('habit')));
    const { length } = await phrases();
    await page.getByText(`Showing ${length} of ${length} matching`).waitFor();
    expect(await audit(page)).toEqual([]);

    // Three hundred competitors are one field on the chart of a keyword.
    await page.route(/\/api\/backend\/apps\/\d+\/competitors\?/, async (route) => {
      const response = await route.fetch();
      const list = await response.json();
      const many = Array.from({ length: 300 }, (_, index) => ({
        ...list.items[0],
        id: 10_000 + index,
        name: `Competitor ${index}`,
      }));
      await route.fulfill({ response, json: { ...list, items: [...list.items, ...many] } });
    });
    await goTo(page, `/keywords/${testApp.keywordId}?competitors=${items[0].id}`);
    await page.reload();
    const chips = page.getByRole('group', { name: 'Compare with' });
    await chips.getByRole('combobox', { name: 'Competitors' }).waitFor();
    expect(await chips.getByRole('button', { name: /^Competitor \d/ }).count()).toBe(0);
    await chips.getByRole('button', { name: items[0].name, pressed: true }).waitFor();
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('undoes a competitor that was added from the results', async () => {
    const path = `/keywords/${testApp.keywordId}/serp`;
    const { page, close } = await testApp.open(browser!, path);
    const before = (await read(page, ios('/competitors'))).items.length;
    await page
      .getByRole('button', { name: /^Track as competitor/ })
      .first()
      .click();
    await page.getByText(/added as a competitor/).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(async () => (await read(page, ios('/competitors'))).items.length)
      .toBe(before);
    await close();
  });

  test('analyses a keyword field above 100 characters, and drops a word with a click', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, ios('/keyword-field'));
    const words =
      'journal,planner,routine,mindful,reminder,checklist,gratitude,wellness,calendar,meditation';
    await page.getByRole('textbox', { name: 'Keyword field' }).fill(`${words},zebra,zebras,the`);
    await page.getByText(/^10\d\/100$/).waitFor();
    const table = page.getByRole('region', { name: /^Table: / }).first();
    const row = (word: string) =>
      table.getByRole('row').filter({ has: page.getByText(word, { exact: true }) });
    await row('zebras').getByText('plural').waitFor();
    await table.getByRole('button', { name: 'Remove zebras' }).click();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Keyword field' }).inputValue())
      .toBe(`${words},zebra,the`);
    await page.getByText('99/100', { exact: true }).waitFor();
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('labels the secret of a webhook, which a chat service does not need', async () => {
    const { page, close } = await testApp.open(browser!, '/alerts?tab=webhooks');
    await page.getByRole('button', { name: 'Add webhook' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Signing secret', { exact: true }).waitFor();
    await dialog.getByLabel('URL').fill('https://hooks.slack.com/services/T0/B0/x');
    await dialog.getByText('Detected from the URL: Slack.').waitFor();
    expect(await dialog.getByText('Signing secret', { exact: true }).count()).toBe(0);
    expect(await audit(page)).toEqual([]);
    // The address is a secret, too: the list has only its host.
    await dialog.getByLabel('URL').fill('https://hooks.slack.com/services/T0/B0/sEcReT');
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByText('Nothing sent yet').first().waitFor();
    await page.getByText(/^https:\/\/hooks\.slack\.com\/.*…/).waitFor();
    expect(await page.content()).not.toContain('sEcReT');
    const { items } = await read(page, '/webhooks');
    await testApp.pool.query('delete from webhooks where id = any($1)', [
      items.map(({ id }: { id: number }) => id),
    ]);
    await close();
  });

  test('says that the session has ended', async () => {
    const { page, context, loaded, close } = await testApp.open(browser!, ios('/keywords'));
    // A request of this page that is refused would end the session before the next page.
    await loaded();
    await context.clearCookies();
    await page.goto(`${testApp.webUrl}/members`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByText('Your session has ended.').waitFor();
    await close();
  });

  test.each(
    draw('languages of two editors', 1, [
      {
        language: 'de',
        title: 'Jemand anderes hat das auch geändert',
        mine: 'Meine behalten',
        more: 'Mehr',
        edit: 'Bearbeiten',
      },
      {
        language: 'ja',
        title: 'ほかの人もこの項目を変更しました',
        mine: '自分の変更を残す',
        more: 'その他',
        edit: '編集',
      },
    ]),
  )(
    'shows a second editor of annotations and webhooks both texts on a phone, in $language',
    async ({ language, title, mine, more, edit }) => {
      const options = { width: 375, height: 812 };
      const { page, close } = await testApp.open(browser!, ios('/timeline'), options);
      const write = (method: string, path: string, body: object) =>
        page.evaluate(
          async ({ how, where, text }) => {
            const headers = { 'content-type': 'application/json' };
            const change = { method: how, body: text, headers };
            return (await fetch(`/api/backend${where}`, change)).json();
          },
          { how: method, where: path, text: JSON.stringify(body) },
        );
      const dialog = page.getByRole('dialog', { name: title });
      const decide = async (kept: string, given: string) => {
        await dialog.getByText(kept, { exact: true }).waitFor();
        await dialog.getByText(given, { exact: true }).waitFor();
        expect(await audit(page)).toEqual([]);
        expect(await overflowOf(page)).toBeLessThanOrEqual(0);
        if (process.env.SHOTS)
          await page.screenshot({ path: `${process.env.SHOTS}/conflict-${language}-${given}.png` });
        await dialog.getByRole('button', { name: mine }).click();
        await dialog.waitFor({ state: 'hidden' });
      };
      await page.evaluate(
        (code) => localStorage.setItem('toprung.language', JSON.stringify(code)),
        language,
      );
      const today = utcDayOf(new Date());
      const text = `note in ${language}`;
      const note = await write('POST', ios('/annotations'), { date: today, text });
      await page.goto(`${testApp.webUrl}${ios('/timeline')}`);
      await page.getByRole('button', { name: text }).first().click();
      await page.locator('main form textarea').fill('my text');
      await write('PATCH', `/annotations/${note.id}`, { text: 'their text' });
      await page.locator('main form button[type=submit]').click();
      await decide('their text', 'my text');
      const noteNow = async () =>
        (await read(page, ios('/annotations'))).items.find(
          ({ id }: { id: number }) => id === note.id,
        ).text;
      await expect.poll(noteNow).toBe('my text');

      const events = ['rank.dropped'];
      const url = `https://example.com/hooks/${language}`;
      const hook = await write('POST', '/webhooks', { url, events });
      await page.goto(`${testApp.webUrl}/alerts?tab=webhooks`);
      await page.getByRole('button', { name: more }).first().click();
      await page.getByRole('menuitem', { name: edit }).click();
      const name = page
        .getByRole('dialog')
        .locator('input:not([type=url], [type=checkbox])')
        .first();
      await name.fill('my hook');
      await write('PATCH', `/webhooks/${hook.id}`, { description: 'their hook', enabled: false });
      const save = page.getByRole('dialog').locator('button[type=submit]');
      await save.click();
      // Escape closes the question alone: the form behind it keeps what was typed.
      await dialog.getByText('their hook', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      expect(await name.inputValue()).toBe('my hook');
      await save.click();
      await decide('their hook', 'my hook');
      await expect
        .poll(() => read(page, `/webhooks/${hook.id}`))
        .toMatchObject({ description: 'my hook', enabled: false });
      await write('DELETE', `/webhooks/${hook.id}`, {});
      await write('DELETE', `/annotations/${note.id}`, {});
      await page.evaluate(() => localStorage.removeItem('toprung.language'));
      await close();
    },
  );

  test('draws ranges of positions that differ in the dark, and compares them', async () => {
    const { page, loaded, close } = await testApp.open(
      browser!,
      ios('/distribution?days=7&versus=previous'),
      { colorScheme: 'dark' },
    );
    await loaded();
    const lightness = await page.evaluate(() => {
      const canvas = document.createElement('canvas').getContext('2d', {
        willReadFrequently: true,
      })!;
      const luminanceOf = (color: string) => {
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
          const share = byte / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
      };
      const swatches = [...document.querySelectorAll<HTMLElement>('main [class*=swatch]')];
      return swatches.map((swatch) => luminanceOf(getComputedStyle(swatch).backgroundColor));
    });
    const ratios = lightness
      .slice(0, 6)
      .map((light, index) => (light + 0.05) / ((lightness[index + 1] ?? 0) + 0.05));
    expect(lightness.length).toBeGreaterThanOrEqual(8);
    for (const ratio of ratios.slice(0, 5)) expect(ratio).toBeGreaterThan(1.12);
    await page.getByText('Dashed: the keywords in the top 10 in the compared period').waitFor();
    expect(await page.locator('main svg [stroke-dasharray="5 4"]').count()).toBeGreaterThan(0);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/bands-dark.png` });
    await close();
  });

  test('names the countries of the ratings, and compares them', async () => {
    const { page, loaded, close } = await testApp.open(
      browser!,
      ios('/reviews?tab=ratings&days=7&versus=previous'),
    );
    await loaded();
    const legend = page.locator('main figure li, main section li').filter({ hasText: 'Germany' });
    await legend.first().waitFor();
    await page.getByText('Dashed: the compared period').waitFor();
    expect(await page.locator('main svg [stroke-dasharray="5 4"]').count()).toBeGreaterThan(0);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/ratings.png` });
    await close();
  });

  test('shows the whole name of the days in German', async () => {
    const { page, loaded, close } = await testApp.open(browser!, ios());
    await page.evaluate(() => localStorage.setItem('toprung.language', '"de"'));
    await page.reload();
    await loaded();
    const field = page.getByLabel('Zeitraum').first();
    const cut = await field.evaluate((input: HTMLInputElement) => [
      input.value,
      input.scrollWidth - input.clientWidth,
    ]);
    expect(cut).toEqual(['Letzte 30 Tage', 0]);
    await page.evaluate(() => localStorage.removeItem('toprung.language'));
    await close();
  });

  test.each([
    ['', 30],
    ['&span=7', 7],
  ])('asks for one backtest of the saved rules when they are opened%s', async (more, days) => {
    const { page, loaded, close } = await testApp.open(browser!, '/digest');
    const asked: unknown[] = [];
    const note = (request: Request) => {
      if (request.url().endsWith('/alerts/rules/backtest')) asked.push(request.postDataJSON());
    };
    page.on('request', note);
    await page.goto(new URL(`/alerts?tab=rules${more}`, page.url()).href);
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await loaded();
    page.off('request', note);
    // The saved rules are not here when it begins.
    expect(asked).toEqual([{ days }]);
    await close();
  });

  test('shows a second editor what changed instead of overwriting it', async () => {
    const first = await testApp.open(browser!, '/alerts?tab=rules');
    const second = await testApp.open(browser!, '/alerts?tab=rules');
    const event = ({ page }: typeof first, name: string) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) });
    const fill = async (watched: typeof first, name: string, label: string, value: number) => {
      const input = event(watched, name).getByLabel(label).first();
      await input.fill(String(value));
      await input.blur();
    };
    const save = ({ page }: typeof first) =>
      page.getByRole('button', { name: 'Save rules' }).click();
    const rulesOf = async (name: string) =>
      (await read(first.page, '/alerts/rules')).rules.find(
        (rule: { event: string }) => rule.event === name,
      );
    const [dropped, improved] = ['Position lost', 'Position gained'] as const;
    const minimum = 'Minimum change (positions)';
    await fill(first, dropped, minimum, 7);
    await fill(second, dropped, minimum, 9);
    await save(first);
    await first.page.getByText('Rules saved.').first().waitFor();

    // The second editor sees both values; closing the dialog writes nothing and keeps the draft.
    await save(second);
    const dialog = second.page.getByRole('dialog', { name: 'Somebody else changed this too' });
    await dialog.getByText(`${minimum}: 7`).waitFor();
    await dialog.getByText(`${minimum}: 9`).waitFor();
    expect(await audit(second.page)).toEqual([]);
    await second.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await rulesOf('rank.dropped')).toMatchObject({ minPositions: 7 });
    await expect.poll(() => event(second, dropped).getByLabel(minimum).inputValue()).toBe('9');

    // What only one of them changed is kept without a question.
    await save(second);
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await second.page.getByText('Rules saved.').first().waitFor();
    await fill(first, improved, minimum, 11);
    await save(first);
    await first.page.getByText(/both changes are kept: Position lost/).waitFor();
    await expect
      .poll(async () => [
        (await rulesOf('rank.dropped')).minPositions,
        (await rulesOf('rank.improved'))?.minPositions,
      ])
      .toEqual([9, 11]);

    // A note that was begun before somebody else saved another one.
    for (const { page } of [first, second]) await goTo(page, `/keywords/${testApp.keywordId}`);
    const note = ({ page }: typeof first) => page.getByLabel('Note', { exact: true });
    await note(second).fill('my note');
    await note(first).fill('their note');
    await first.page.getByRole('button', { name: 'Save', exact: true }).last().click();
    const noteOf = async () => (await read(first.page, `/keywords/${testApp.keywordId}`)).note;
    await expect.poll(noteOf).toBe('their note');
    await second.page.reload();
    await second.page.getByRole('button', { name: 'Save', exact: true }).last().click();
    await dialog.getByText('their note').waitFor();
    await dialog.getByText('my note').waitFor();
    await dialog.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => note(second).inputValue()).toBe('their note');
    expect(await noteOf()).toBe('their note');
    const restore = (method: 'PUT' | 'PATCH', at: string, body: object) =>
      first.page.evaluate(
        async ({ how, where, text }) => {
          const headers = { 'content-type': 'application/json' };
          const change = { method: how, body: text, headers };
          await fetch(`/api/backend${where}`, change);
        },
        { how: method, where: at, text: JSON.stringify(body) },
      );
    await restore('PUT', '/alerts/rules', { rules: [] });
    await restore('PATCH', `/keywords/${testApp.keywordId}`, { note: null });
    for (const { close } of [first, second]) await close();
  });

  test('shows a change of another process at once, and what a hidden page missed', async () => {
    const { page, context, consoleErrors, close } = await newPage(browser!);
    await context.addCookies([{ ...(await testApp.signIn()), url: testApp.webUrl }]);
    const connections: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'eventsource') connections.push(request.url());
    });
    // The server says what changes after its response.
    const isConnected = page.waitForResponse((response) => response.url().endsWith('/live'));
    await Promise.all([isConnected, page.goto(`${testApp.webUrl}/runs?tab=jobs`)]);
    expect(connections).toHaveLength(1);
    const add = (kind: string) =>
      testApp.change(
        `insert into jobs (workspace_id, kind, state, payload, queued_at, finished_at)
         values ($1, $2, 'succeeded', '{}', now(), now())`,
        [testApp.workspaceId, kind],
      );
    const rows = () => page.locator('main tbody tr').count();
    await expect.poll(rows).toBeGreaterThan(0);
    const before = await rows();
    await add('recompute');
    await expect.poll(rows).toBe(before + 1);

    // A hidden page has no connection, and learns what it missed when it is shown again.
    const show = (state: 'hidden' | 'visible') =>
      page.evaluate((visibility) => {
        Object.defineProperty(document, 'visibilityState', {
          configurable: true,
          get: () => visibility,
        });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    await show('hidden');
    await add('actions-run');
    await show('visible');
    await expect.poll(rows).toBe(before + 2);
    expect(connections.at(-1)).toContain('since=');
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('scores and saves a selection of keywords, and leaves out bad phrases', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, ios('/keywords'));
    await page.setViewportSize({ width: 1_440, height: 900 });
    await loaded();
    const rowsInView = () =>
      page.evaluate(
        () =>
          [...document.querySelectorAll('main [data-index]')].filter(
            (row) => row.getBoundingClientRect().bottom <= innerHeight,
          ).length,
      );
    await expect.poll(rowsInView).toBeGreaterThanOrEqual(20);
    await page.getByRole('columnheader', { name: /1 day/ }).waitFor();
    if (process.env.SHOT) await page.screenshot({ path: `${process.env.SHOT}/keywords.png` });

    // The chosen row of the app switcher, in the dark.
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('button', { name: /^Switch app/ }).click();
    await page.getByRole('menuitem').first().waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await audit(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.emulateMedia({ colorScheme: 'light' });

    const box = (index: number) => page.locator(`[data-index="${index}"]`).getByRole('checkbox');
    for (const index of [0, 1]) await box(index).check();
    const bar = page.getByRole('toolbar', { name: 'Selected keywords' });
    if (process.env.SHOT) await page.screenshot({ path: `${process.env.SHOT}/bulk.png` });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      bar.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(
      /^[\p{L}\p{N}-]+-keywords-selected-\d{4}-\d\d-\d\d\.csv$/u,
    );
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(3);
    const scored = new Set<string>();
    await page.route('**/api/backend/keywords/*/score', async (route) => {
      scored.add(route.request().url());
      await route.continue();
    });
    await bar.getByRole('button', { name: 'Score' }).click();
    await page.getByText('2 of 2 keywords are being scored.').waitFor();
    expect(scored.size).toBe(2);
    await page.setViewportSize({ width: 375, height: 812 });
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await audit(page)).toEqual([]);
    await page.setViewportSize({ width: 1_440, height: 900 });
    await bar.getByRole('button', { name: 'Clear selection' }).click();

    // A phrase that is too long is left out with a click, and the countries are offered again.
    await testApp.pool.query("update apps set primary_country = 'jp' where id = $1", [
      testApp.apps.ios,
    ]);
    await page.reload();
    await loaded();
    await page.getByRole('button', { name: 'Add keywords' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add keywords' });
    // It begins with the app's own country.
    await dialog.getByText('Japan', { exact: true }).waitFor();
    await testApp.pool.query("update apps set primary_country = 'us' where id = $1", [
      testApp.apps.ios,
    ]);
    await dialog.getByLabel('Phrases').fill('walking log\none two three four five six');
    await dialog.getByRole('button', { name: 'Leave out 1 phrase' }).click();
    await expect.poll(() => dialog.getByLabel('Phrases').inputValue()).toBe('walking log');
    await dialog.getByLabel('Phrases').and(page.locator(':focus')).waitFor();
    await dialog.getByRole('combobox', { name: 'Countries' }).fill('Germany');
    await page.getByRole('option', { name: 'Germany' }).click();
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Add 2 keywords' }).click();
    await page.getByText(/2 keywords added/).waitFor();
    await page.getByRole('button', { name: 'Add keywords' }).first().click();
    await dialog.getByLabel('Phrases').fill('sleep log');
    await dialog
      .getByRole('button', { name: /Germany/ })
      .last()
      .click();
    await dialog.getByRole('button', { name: 'Add 2 keywords' }).waitFor();
    if (process.env.SHOT) await page.screenshot({ path: `${process.env.SHOT}/add.png` });
    expect(await audit(page)).toEqual([]);
    await page.keyboard.press('Escape');
    const { items } = await read(page, ios('/keywords?limit=500&q=walking%20log'));
    await page.evaluate(
      async ({ at, ids }) => {
        const headers = { 'content-type': 'application/json' };
        await fetch(at, { method: 'POST', headers, body: JSON.stringify({ ids }) });
      },
      {
        at: `/api/backend${ios('/keywords/delete')}`,
        ids: items.map(({ id }: { id: number }) => id),
      },
    );
    expect(consoleErrors).toEqual([]);
    await close();
  });
});
