import { everyPace } from '#config/pace-settings.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedDemo } from '#boot/seed-demo.ts';
import { createRuntime, type Runtime } from '#boot/services.ts';
import { createDemoAdsKey } from '#cli/demo-ads-key.ts';
import { popularityWait, withoutPacing } from '#cli/without-pacing.ts';
import { demoEmail, demoSimulatorOptions, planDemo } from '#cli/demo-plan.ts';
import { startSimulatorProcess, type SimulatorProcess } from '#cli/simulator-process.ts';
import { readConfig } from '#config/env.ts';
import { TestClock } from '#lib/clock.ts';
import { addDays, listDays } from '#lib/dates.ts';
import { silentLogger } from '#lib/logger.ts';
import { deviceIds } from '#stores/profiles.ts';
import { factTables } from '#domain/transfer/exports/exported-tables.ts';
import { exportWorkspace, importFile } from '../api/exports.fixtures.ts';
import { finishImportFile } from '../api/imports.fixtures.ts';
import { offsetSequences } from '../api/workspace.fixtures.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { draw } from '../harness/short-form.ts';
import {
  findDifferences,
  readContent,
  readLists,
  readOnlyTables,
} from './whole-export.fixtures.ts';
import { readPublicFacts } from './public-facts.fixtures.ts';

// The demo apps are renamed on 2026-03-08; hints missed on days without the store come a week
// later.
const today = '2026-03-13';
const historyDays = 11;
const days = listDays(addDays(today, -historyDays), addDays(today, -1));
const range = { from: days[0]!, to: days.at(-1)! };
const password = 'grape-tunnel-oxide-41';

let db: TestDatabase;
let simulator: SimulatorProcess;
let runtime: Runtime;
let api: TestApi;
let account: Account;
let apps: { ios: number; android: number };
const adsKey = createDemoAdsKey();
const lived: string[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  simulator = await startSimulatorProcess(demoSimulatorOptions);
  const clock = new TestClock(`${days[0]}T00:00:00Z`);
  runtime = await createRuntime({
    config: readConfig({
      STORE_BASE_URL: simulator.baseUrl,
      ENCRYPTION_KEY: 'a key that encrypts secrets in tests',
      ...everyPace('1000000'),
    }),
    database: { urlOf: () => db.url },
    log: silentLogger,
    clock,
    wrapPacer: withoutPacing,
    popularityWait,
  });
  await simulator.registerAdsKey(adsKey.registered);
  const plan = planDemo({
    simulator,
    password,
    today,
    historyDays,
    dailyDays: historyDays,
    providersFrom: days[2]!,
    adsCredentials: adsKey.credentials,
    afterDay: (day) => lived.push(day),
  });
  const { workspaceId } = await seedDemo(runtime, clock, plan);
  clock.set(`${today}T00:30:00Z`);
  api = await startApi({ db, clock });
  account = await api.signUp({ workspaceId });
  // The demo has one user, and its owner manages the instance.
  await db.pool.query('update users set operator = true where id = $1', [account.userId]);
  const { items } = await api.ok('GET /apps', { query: {} }, account);
  apps = {
    ios: items.find((app) => app.store === 'ios')!.id,
    android: items.find((app) => app.store === 'android')!.id,
  };
});

afterAll(async () => {
  await api?.close();
  await runtime?.close();
  await simulator?.close();
  await db?.drop();
});

let exported: string | undefined;

/** The export of the demo, made once. */
async function exportFile(): Promise<string> {
  exported ??= await exportWorkspace(api, account);
  return exported;
}

const both = (): number[] => Object.values(apps);

async function listKeywords(id: number) {
  return (
    await api.ok('GET /apps/{id}/keywords', { params: { id }, query: { limit: 200 } }, account)
  ).items;
}

/** The compared tables of a file: all of them, but for those that belong to an instance. */
function describeContent(file: string): Map<string, string[]> {
  const content = readContent(file);
  for (const table of readOnlyTables) content.delete(table);
  return content;
}

/** The same apps and keywords, without any fact about them. */
function withoutFacts(file: string): string {
  const lines = file.trimEnd().split('\n').slice(0, -1);
  return finishImportFile(
    lines.filter((line) => !factTables.some((table) => line.startsWith(`{"table":"${table}"`))),
  );
}

/** Best positions are those of the current search provider. */
async function copySeries(to: TestDatabase): Promise<void> {
  const { rows } = await db.pool.query('select * from position_series');
  await to.pool.query('truncate position_series');
  await to.pool.query(
    'insert into position_series select * from jsonb_populate_recordset(null::position_series, $1)',
    [JSON.stringify(rows)],
  );
}

describe('the demo', () => {
  test('signs in with the password that it prints', async () => {
    const response = await api.raw('/auth/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ email: demoEmail, password }),
    });
    expect(response.status).toBe(200);
  });

  test('tracks 66 keywords in four countries and on all devices, with positions', async () => {
    const keywords = (await Promise.all(both().map(listKeywords))).flat();
    expect(keywords).toHaveLength(66);
    expect(new Set(keywords.map(({ device }) => device))).toEqual(new Set(deviceIds));
    expect(new Set(keywords.map((keyword) => keyword.country)).size).toBe(4);
    for (const keyword of keywords) {
      expect(keyword.latest?.date).toBe(range.to);
      expect(keyword.traffic).not.toBeNull();
      expect(keyword.difficulty).not.toBeNull();
      expect(keyword.tags).toHaveLength(1);
    }
    expect(keywords.some((keyword) => keyword.latest?.position === null)).toBe(true);
    expect(keywords.filter((keyword) => keyword.latest?.position).length).toBeGreaterThan(20);
    const tags = await api.ok('GET /tags', { query: {} }, account);
    expect(tags.items.map((tag) => tag.name).toSorted()).toEqual(['brand', 'core', 'long tail']);
    for (const tag of tags.items) expect(tag.color).not.toBeNull();
  });

  test('has every day but the one on which the machine was off', async () => {
    const off = days.filter((day) => !lived.includes(day));
    expect(off).toHaveLength(1);
    for (const id of both()) {
      const [keyword] = await listKeywords(id);
      const { items } = await api.ok(
        'GET /keywords/{keywordId}/serp/dates',
        { params: { keywordId: keyword!.id }, query: {} },
        account,
      );
      const dates = items.map((item) => item.date);
      expect(dates).not.toContain(off[0]);
      expect(dates.length).toBeGreaterThanOrEqual(days.length - 3);
      const serp = await api.ok(
        'GET /keywords/{keywordId}/serp',
        { params: { keywordId: keyword!.id }, query: {} },
        account,
      );
      expect(serp.items.length).toBeGreaterThanOrEqual(30);
    }
  });

  test('has two segments of positions on iOS, and a day with only a fallback', async () => {
    const [keyword] = (await listKeywords(apps.ios)).filter(({ latest }) => latest?.position);
    const history = await api.ok(
      'GET /keywords/{keywordId}/rankings',
      { params: { keywordId: keyword!.id }, query: { ...range, fill: 'gaps' } },
      account,
    );
    expect(history.segments.map(({ provider }) => provider)).toEqual(['itunes', 'web']);
    const providers = (from: string, to: string) =>
      new Set(
        history.items
          .filter(({ date, state }) => date >= from && date < to && state !== 'not_checked')
          .map((cell) => (cell.state === 'not_checked' ? null : cell.provider)),
      );
    const [, { from }] = history.segments as [unknown, { from: string }];
    expect([...providers(days[0]!, from)]).toEqual(['itunes']);
    expect([...providers(from, today)]).toEqual(['web']);
    expect(
      history.items.flatMap((cell) =>
        cell.state === 'not_checked' && cell.fallback && cell.date > from
          ? [cell.fallback.provider]
          : [],
      ),
    ).toEqual(['itunes']);
    const timeline = await api.ok(
      'GET /apps/{id}/timeline',
      { params: { id: apps.ios }, query: { limit: 500 } },
      account,
    );
    expect(timeline.items.filter(({ date }) => date === from).map(({ kind }) => kind)).toContain(
      'provider',
    );
  });

  test('has reviews with topics, ratings and category ranks of both apps', async () => {
    for (const id of both()) {
      const params = { id };
      expect(
        (await api.ok('GET /apps/{id}/reviews', { params, query: {} }, account)).items.length,
      ).toBeGreaterThan(10);
      expect(
        (await api.ok('GET /apps/{id}/reviews/topics', { params, query: {} }, account)).items
          .length,
      ).toBeGreaterThan(0);
      expect(
        (await api.ok('GET /apps/{id}/ratings', { params, query: range }, account)).items.length,
      ).toBeGreaterThan(0);
      const ranks = await api.ok(
        'GET /apps/{id}/category-ranks',
        { params, query: range },
        account,
      );
      expect(JSON.stringify(ranks)).toMatch(/"position":\s*\d/);
    }
  });

  test('compares each app with two competitors that have positions', async () => {
    for (const id of both()) {
      const { items } = await api.ok('GET /apps/{id}/competitors', { params: { id } }, account);
      expect(items).toHaveLength(2);
      for (const { id: cid } of items) {
        const positions = await api.ok(
          'GET /apps/{id}/competitors/{cid}/rankings',
          { params: { id, cid }, query: {} },
          account,
        );
        expect(JSON.stringify(positions)).toMatch(/"position":\s*\d/);
      }
    }
  });

  test('has two versions of a keyword field, annotations, and the changes between', async () => {
    const versions = await api.ok(
      'GET /apps/{id}/keyword-field/history',
      { params: { id: apps.ios }, query: { locale: 'en-US' } },
      account,
    );
    expect(versions.items).toHaveLength(2);
    expect(new Set(versions.items.map((version) => version.text)).size).toBe(2);
    for (const id of both()) {
      expect(
        (await api.ok('GET /apps/{id}/annotations', { params: { id }, query: {} }, account)).items
          .length,
      ).toBeGreaterThanOrEqual(2);
      const changes = await api.ok(
        'GET /apps/{id}/changes',
        { params: { id }, query: range },
        account,
      );
      expect(changes.items.length).toBeGreaterThan(0);
      expect(
        (await api.ok('GET /apps/{id}/timeline', { params: { id }, query: range }, account)).items
          .length,
      ).toBeGreaterThan(0);
    }
  });

  test('has events from its history, and open actions', async () => {
    const events = await api.ok('GET /events', { query: { limit: 200 } }, account);
    expect(new Set(events.items.map((event) => event.type))).toContain('metadata.changed');
    expect(events.items.length).toBeGreaterThan(5);
    const actions = await api.ok('GET /actions', { query: { state: 'open' } }, account);
    expect(actions.items.length).toBeGreaterThan(0);
  });

  test('has a key of the Ads API, with four synced weeks of its countries', async () => {
    const sync = await api.ok('GET /popularity/sync', {}, account);
    const { clientId } = adsKey.credentials;
    expect(sync).toMatchObject({
      credentials: { clientId, state: 'accepted', accountName: 'Demo organization' },
      state: 'waiting',
      failure: null,
      quarantined: 0,
    });
    expect(sync.weeks).toHaveLength(16);
    expect(new Set(sync.weeks.map(({ country }) => country)).size).toBe(4);
    for (const { outcome, terms } of sync.weeks) {
      expect(outcome).toBe('synced');
      expect(terms).toBeGreaterThan(500);
    }
    const query = { country: 'us', granularity: 'week' } as const;
    const list = await api.ok('GET /popularity/terms', { query }, account);
    expect(list.set).toMatchObject({ period: sync.newestWeek, source: 'api' });
    expect(list.previousPeriod).toBe(addDays(sync.newestWeek, -7));
    for (const movement of ['climbers', 'fallers', 'new'] as const) {
      const moved = await api.ok(
        'GET /popularity/terms',
        { query: { ...query, movement } },
        account,
      );
      expect([movement, moved.items.length > 0]).toEqual([movement, true]);
    }
    const month = await api.ok('GET /popularity/terms', { query: { country: 'us' } }, account);
    expect(month.set).toMatchObject({ period: '2026-02-01', source: 'file' });
  });

  test('has published numbers beside estimates, and bounds of other phrases', async () => {
    const keywords = (await listKeywords(apps.ios)).filter(({ device }) => device !== 'mac');
    const { newestWeek: period } = await api.ok('GET /popularity/sync', {}, account);
    for (const { published } of keywords)
      expect(published).toMatchObject({ granularity: 'week', period, source: 'api' });
    const listed = keywords.filter(({ published }) => published?.popularity);
    expect([listed.length > 3, listed.length < keywords.length]).toEqual([true, true]);
    for (const { traffic, published } of listed) expect(traffic).toBe(published!.popularity);
    const scoresOf = async ({ id }: { id: number }) => {
      const params = { keywordId: id };
      const { items } = await api.ok(
        'GET /keywords/{keywordId}/scores',
        { params, query: {} },
        account,
      );
      return items[0]!.provenance!;
    };
    expect(await scoresOf(listed[0]!)).toMatchObject({
      inputs: { published: { popularity: listed[0]!.traffic, period } },
      estimate: { traffic: expect.any(Number) },
    });
    const query = { keywordIds: String(listed[0]!.id) };
    const params = { id: apps.ios };
    const { items } = await api.ok('GET /apps/{id}/opportunities', { params, query }, account);
    expect(items[0]!.components.trafficBasis).toBe('published');
    const unlisted = keywords.find(({ published }) => published?.popularity === null)!;
    expect((await scoresOf(unlisted)).inputs.popularityBound).toBe(unlisted.published!.atMost);
  });

  test('has at most three alerts a day by the default rules', async () => {
    const body = { rules: [], days: historyDays };
    const { total } = await api.ok('POST /alerts/rules/backtest', { body }, account);
    expect(total).toBeGreaterThan(0);
    expect(total / historyDays).toBeLessThanOrEqual(3);
  });

  test('fetches feeds, pages and charts daily after its history', async () => {
    const { rows } = await db.pool.query(
      "select distinct interval_days from store_tasks where active and kind <> 'hints'",
    );
    expect(rows).toEqual([{ interval_days: 1 }]);
    const hints = await db.pool.query(
      "select count(*)::int as count from store_tasks where kind = 'hints' and read_on is null",
    );
    expect(hints.rows[0]).toEqual({ count: 0 });
  });

  const comesBackWhole = async () => {
    const fresh = await startApi({ clock: api.clock });
    try {
      await copySeries(fresh.db);
      // Ids of the file mean other rows there.
      await offsetSequences(fresh.db.pool, 5_000);
      const [owner, other] = [await fresh.signUp(), await fresh.signUp()];
      const file = await exportFile();
      const { report } = await importFile(fresh, owner, file);
      const known = describeContent(file);
      expect(known.size).toBeGreaterThan(15);
      for (const { table, rows, imported } of report!.tables)
        expect([table, imported]).toEqual([table, readOnlyTables.includes(table) ? 0 : rows]);
      expect(await readLists(fresh, owner)).toEqual(await readLists(api, account));
      await importFile(fresh, owner, file);
      const again = await exportWorkspace(fresh, owner);
      expect(findDifferences(known, describeContent(again))).toEqual([]);

      const { items: imported } = await fresh.ok('GET /apps', { query: {} }, owner);
      const { items: reviews } = await fresh.ok(
        'GET /apps/{id}/reviews',
        { params: { id: imported[0]!.id }, query: {} },
        owner,
      );
      const params = { reviewId: reviews[0]!.id };
      await fresh.ok('PATCH /reviews/{reviewId}', { params, body: { note: 'a note' } }, owner);
      expect(await fresh.ok('GET /reviews/{reviewId}', { params }, owner)).toEqual({
        ...reviews[0],
        etag: expect.any(String),
        note: 'a note',
        history: [],
      });
      expect((await fresh.call('GET /reviews/{reviewId}', { params }, other)).status).toBe(404);

      await importFile(fresh, other, withoutFacts(file));
      const tables = [...describeContent(await exportWorkspace(fresh, other)).keys()];
      expect(tables.filter((table) => factTables.includes(table))).toEqual([]);
      expect(tables).toContain('keywords');
    } finally {
      await fresh.close();
    }
  };

  const becomesPublicFacts = async () => {
    const fresh = await startApi({ clock: api.clock });
    try {
      await offsetSequences(fresh.db.pool, 5_000);
      const owner = await fresh.signUp();
      await fresh.db.pool.query('update users set operator = true where id = $1', [owner.userId]);
      const text = await exportFile();
      await importFile(fresh, owner, text, { asPublicFacts: true });
      const facts = await readPublicFacts(fresh.db.pool, today);
      expect(findDifferences(await readPublicFacts(db.pool, today), facts)).toEqual([]);
      expect(await readLists(fresh, owner)).toEqual(await readLists(api, account));
      await importFile(fresh, owner, text, { asPublicFacts: true });
      expect(await readPublicFacts(fresh.db.pool, today)).toEqual(facts);
      const left = 'select from imported_facts union all select from imported_daily_ranks';
      expect((await fresh.db.pool.query(left)).rowCount).toBe(0);
      const events = 'select count(*)::int as count from events';
      const { rows } = await db.pool.query(events);
      expect((await fresh.db.pool.query(events)).rows).toEqual(rows);
    } finally {
      await fresh.close();
    }
  };

  // Both are in the long form.
  test.each(
    draw('imports of the demo', 1, [
      { name: 'comes back whole from its export into a fresh instance', run: comesBackWhole },
      { name: 'becomes public facts when an operator imports its export', run: becomesPublicFacts },
    ]),
  )('$name', ({ run }) => run());
});
