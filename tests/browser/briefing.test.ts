import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';

const browser = await launchBrowser();

interface Shown {
  from: string;
  to: string;
  gained: number;
  lost: number;
  unchanged: number;
  notChecked: number;
  movers: {
    keywordId: number;
    phrase: string;
    from: { position: number | null };
    to: { position: number | null };
    cause: { kind: string; words: string[] } | null;
  }[];
}

const formatDay = (day: string) =>
  new Intl.DateTimeFormat('en', { timeZone: 'UTC', day: 'numeric', month: 'short' }).format(
    new Date(day),
  );
const read = (page: Page, path: string) =>
  page.evaluate(async (at) => (await fetch(`/api/backend${at}`)).json(), path);
const readBriefing = (page: Page, appId: number): Promise<Shown> =>
  read(page, `/apps/${appId}/briefing?limit=15&yesterday=true`);

describe.skipIf(!browser)('the briefing', () => {
  let testApp: DemoTestApp;
  beforeAll(async () => {
    testApp = await startDemoTestApp();
  });
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  /** As if the owner had visited the briefing today, and before that so many days ago. */
  const visit = (daysAgo: number) =>
    testApp.pool.query(
      `insert into briefing_visits (workspace_id, user_id, visited_on, previous_on)
       select workspace_id, user_id, current_date, current_date - $2::int from memberships
       where workspace_id = $1
       on conflict (workspace_id, user_id) do update set previous_on = excluded.previous_on,
         visited_on = excluded.visited_on`,
      [testApp.workspaceId, daysAgo],
    );

  test('is the first page, and each move leads to the results of both days', async () => {
    // Before the days that other pages show.
    await visit(12);
    const { page, consoleErrors, close } = await testApp.open(browser!, '/?days=7');
    await page.waitForURL('**/briefing*');
    const briefing: Shown = await page.evaluate(
      async (id) => (await fetch(`/api/backend/apps/${id}/briefing?limit=15`)).json(),
      testApp.apps.ios,
    );
    const card = page.getByRole('region', { name: /iOS$/ });
    const rows = card.getByRole('listitem');
    await rows.first().waitFor();
    await expect
      .poll(() => rows.getByRole('link', { name: /./ }).first().textContent())
      .toBe(briefing.movers[0]!.phrase);
    await expect.poll(() => rows.count()).toBe(briefing.movers.length);
    await rows.first().getByRole('link', { name: 'Compare results' }).click();
    await page.waitForURL(
      (url) =>
        url.pathname === `/keywords/${briefing.movers[0]!.keywordId}/serp` &&
        url.searchParams.get('day') === briefing.to &&
        url.searchParams.get('with') === briefing.from,
    );
    await page.getByRole('heading', { name: /dropped out/ }).waitFor();
    const shown = (label: string) =>
      page.getByRole('main').getByLabel(label, { exact: true }).first().inputValue();
    await expect.poll(() => shown('Day')).toContain(`${formatDay(briefing.to)},`);
    await expect.poll(() => shown('Compare with')).toContain(`${formatDay(briefing.from)},`);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('the bell counts unread alerts until they are shown', async () => {
    await testApp.pool.query('delete from event_reads where workspace_id = $1', [
      testApp.workspaceId,
    ]);
    const { page, consoleErrors, close } = await testApp.open(browser!, '/briefing');
    const bell = page.getByRole('link', { name: /^Alerts: / });
    await page.getByRole('link', { name: /^Alerts: \d/ }).waitFor();
    await expect.poll(() => bell.textContent()).toBe('99+');
    await bell.click();
    await page.waitForURL('**/alerts');
    await page.getByRole('link', { name: 'Alerts: none unread' }).waitFor();
    // An event that was new when the page opened stays marked.
    await page.getByRole('listitem').getByText('unread', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Briefing' }).click();
    await page.getByText('No unread alerts.').waitFor();
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('an alert that the list does not show stays unread', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, '/briefing');
    await page.getByRole('link', { name: /^Alerts: / }).click();
    await page.getByRole('link', { name: 'Alerts: none unread' }).waitFor();
    const marks: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/events/read')) marks.push(request.postData()!);
    });
    const list = Promise.withResolvers<void>();
    const lists = /\/api\/backend\/events\?/;
    await page.route(lists, async (route) => {
      await list.promise;
      await route.continue();
    });
    const { rows } = await testApp.pool.query(
      `with counted as (
         update event_counters set sequence = sequence + 1 where workspace_id = $1
         returning workspace_id, sequence)
       insert into events (workspace_id, sequence, type, key, app_id, occurred_at, body)
       select c.workspace_id, c.sequence, e.type, 'late', e.app_id, now(),
         (e.body::jsonb || jsonb_build_object('sequence', c.sequence))::text
       from counted c join events e on e.workspace_id = c.workspace_id
         and e.sequence = c.sequence - 1 returning sequence`,
      [testApp.workspaceId],
    );
    const sequence = Number(rows[0].sequence);
    // The count is read before the list.
    await page.getByRole('link', { name: 'Alerts: 1 unread' }).waitFor({ timeout: 90_000 });
    expect(marks).toEqual([]);
    list.resolve();
    await page.getByRole('link', { name: 'Alerts: none unread' }).waitFor();
    expect(marks).toEqual([JSON.stringify({ sequence })]);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('compares with the day of the last visit, or with yesterday', async () => {
    await visit(6);
    const { page, consoleErrors, close } = await testApp.open(browser!, '/briefing');
    await page
      .getByText(/^Since your visit on /)
      .first()
      .waitFor();
    await page.getByText('Yesterday', { exact: true }).click();
    await page.waitForURL('**since=yesterday*');
    await page
      .getByText(/^Since your visit on /)
      .first()
      .waitFor({ state: 'detached' });
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('lists what to act on first, and links each to its action', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, '/briefing');
    const card = page.getByRole('region', { name: 'Suggested actions' });
    const rows = card.getByRole('listitem');
    await rows.first().waitFor();
    const { items, total } = await read(
      page,
      `/actions?appId=${testApp.apps.ios}&state=open&limit=100`,
    );
    const severities = ['high', 'medium', 'low'];
    const urgent = items
      .toSorted(
        (a: { severity: string }, b: { severity: string }) =>
          severities.indexOf(a.severity) - severities.indexOf(b.severity),
      )
      .slice(0, 3);
    await expect.poll(() => rows.count()).toBe(3);
    for (const [index, { id, severity, keywordIds }] of urgent.entries()) {
      const row = rows.nth(index);
      const { rows: keywords } = await testApp.pool.query(
        'select phrase from keywords where id = any($1)',
        [keywordIds],
      );
      await expect.poll(async () => (await row.textContent())!.toLowerCase()).toContain(severity);
      // The title names the keyword, and the reason is a sentence.
      const link = row.getByRole('link');
      for (const { phrase } of keywords.slice(0, 1))
        await expect.poll(() => link.textContent()).toContain(phrase);
      await expect.poll(() => row.getByRole('paragraph').textContent()).toMatch(/^\S.* .*\.$/);
      await expect
        .poll(() => link.getAttribute('href'))
        .toBe(`/actions?app=${testApp.apps.ios}&action=${id}`);
    }
    const all = card.getByRole('link', { name: `View all ${total} open actions` });
    await expect.poll(() => all.getAttribute('href')).toBe(`/actions?app=${testApp.apps.ios}`);
    await rows.first().getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Actions' }).waitFor();
    await page.locator(`[data-action="${urgent[0].id}"]`).waitFor();
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('says what the run did, and what it could not check', async () => {
    const { page, consoleErrors, close } = await testApp.open(
      browser!,
      '/briefing?since=yesterday',
    );
    const card = page.getByRole('region', { name: 'Stores and runs' });
    const moves = page.getByRole('region', { name: /iOS$/ });
    const valueOf = (name: string | RegExp) =>
      card
        .locator('dl > div')
        .filter({ has: page.getByRole('term').filter({ hasText: name }) })
        .getByRole('definition');
    await valueOf('Gaps').getByText('None').waitFor();
    const {
      items: [run],
    } = await read(page, '/runs?limit=1');
    const { to, gained, lost, unchanged, notChecked } = await readBriefing(page, testApp.apps.ios);
    expect([run.date, run.done, notChecked]).toEqual([to, run.planned, 0]);
    await expect.poll(() => valueOf(`Run of ${formatDay(to)}`).textContent()).toBe('Completed');
    await expect
      .poll(() => valueOf('Keywords checked').textContent())
      .toBe(`${run.done} of ${run.planned} · 100%`);
    for (const store of ['iOS', 'Android'])
      await expect.poll(() => valueOf(store).textContent()).toMatch(/^Healthy · checked .* UTC$/);
    for (const [count, word] of [
      [gained, 'up'],
      [lost, 'down'],
      [unchanged, 'unchanged'],
    ] as const)
      if (count > 0) await moves.getByText(`${count} ${word}`, { exact: true }).waitFor();
    expect(await moves.getByText(/not checked$/).count()).toBe(0);

    const restore = await missCheck(to);
    await page.reload();
    const missed = moves.getByRole('link', { name: '1 keyword not checked' });
    await missed.waitFor();
    await valueOf('Keywords checked')
      .getByText(`${run.done - 1} of ${run.planned} · `)
      .waitFor();
    await expect
      .poll(() => valueOf('Gaps').textContent())
      .toBe('1 no usable response from the store');
    await missed.click();
    await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
    await restore();
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('names the likely cause of a move in a sentence with its words and day', async () => {
    const { page, consoleErrors, close } = await testApp.open(
      browser!,
      '/briefing?since=yesterday',
    );
    const before = await readBriefing(page, testApp.apps.ios);
    const mover = before.movers.find(({ cause }) => cause?.kind !== 'own_change')!;
    const row = page
      .getByRole('region', { name: /iOS$/ })
      .getByRole('listitem')
      .filter({ has: page.locator(`a[href="/keywords/${mover.keywordId}"]`) });
    if (mover.cause === null) await row.getByText('No known cause.').waitFor();

    // The keyword field gained the words of a phrase that rose, or lost those of one that fell.
    const isRise = (mover.to.position ?? 999) < (mover.from.position ?? 999);
    const words = mover.phrase.split(' ').join(',');
    const versions = isRise ? ['calm', words] : [words, 'calm'];
    for (const [index, text] of versions.entries())
      await testApp.pool.query(
        `insert into keyword_fields (workspace_id, app_id, locale, text, normalized, saved_at)
         values ($1, $2, 'vi', $3, $3, $4::date - $5::int + time '03:00' at time zone 'UTC')`,
        [testApp.workspaceId, testApp.apps.ios, text, before.to, index === 0 ? 10 : 0],
      );
    await page.reload();
    const sentence = new RegExp(
      `^Your Keyword field ${isRise ? 'gained' : 'lost'} “.+” \\(${formatDay(before.to)}\\)\\.`,
    );
    await row.getByText(sentence).waitFor();
    const { movers } = await readBriefing(page, testApp.apps.ios);
    const { cause } = movers.find(({ keywordId }) => keywordId === mover.keywordId)!;
    expect(cause!.kind).toBe('own_change');
    const shown = (await row.getByText(sentence).textContent())!;
    for (const word of cause!.words) expect(shown).toContain(word);
    await row.getByRole('link', { name: 'Timeline' }).click();
    await page.waitForURL(`**/apps/${testApp.apps.ios}/timeline*`);
    await testApp.pool.query("delete from keyword_fields where locale = 'vi'");
    expect(consoleErrors).toEqual([]);
    await close();
  });

  /** As if the store had not answered for a keyword on a day; returns what undoes it. */
  async function missCheck(day: string): Promise<() => Promise<void>> {
    const { pool } = testApp;
    const { rows } = await pool.query('select market_id from keywords where id = $1', [
      testApp.keywordId,
    ]);
    const market = rows[0].market_id;
    const month = `${day.slice(0, 8)}01`;
    const tables = [
      ['rank_months', 'daily_ranks', 1],
      ['market_months', 'days', 4],
    ] as const;
    const kept = await Promise.all(
      tables.map(([table, column]) =>
        pool.query(`select ${column} as bytes from ${table} where market_id = $1 and month = $2`, [
          market,
          month,
        ]),
      ),
    );
    for (const [table, column, width] of tables)
      await pool.query(
        `update ${table} set ${column} = overlay(${column} placing
           decode(repeat('00', ${width}), 'hex') from ${Number(day.slice(8)) - 1} * ${width} + 1)
         where market_id = $1 and month = $2`,
        [market, month],
      );
    await pool.query(
      "insert into market_gaps (market_id, on_date, reason) values ($1, $2, 'store_error')",
      [market, day],
    );
    await pool.query('delete from counted_days where date = $1', [day]);
    return async () => {
      for (const [index, [table, column]] of tables.entries())
        await pool.query(`update ${table} set ${column} = $3 where market_id = $1 and month = $2`, [
          market,
          month,
          kept[index]!.rows[0].bytes,
        ]);
      await pool.query('delete from market_gaps where market_id = $1 and on_date = $2', [
        market,
        day,
      ]);
      await pool.query('insert into counted_days (date) values ($1)', [day]);
    };
  }
});
