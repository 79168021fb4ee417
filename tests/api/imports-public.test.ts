import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evaluateChangeAlerts } from '#domain/alerting/alerts/evaluate-change-alerts.ts';
import { evaluateRankAlerts } from '#domain/alerting/alerts/evaluate-rank-alerts.ts';
import { evaluateReviewAlerts } from '#domain/alerting/alerts/evaluate-review-alerts.ts';
import { factTables } from '#domain/transfer/exports/exported-tables.ts';
import { readPublicFacts } from '../boot/public-facts.fixtures.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { importFile, runAcceptedJobs } from './exports.fixtures.ts';
import { makeFile, sampleRows, type TableRow } from './imports.fixtures.ts';
import { describeTables } from './keywords.fixtures.ts';

keepOrder('each import adds to the public facts of the instance');

const began = '2026-10-25T08:00:00+00:00';
const joinedOn = '2026-11-10';
const importedOn = '2026-11-16';
/** Days of the file, before and after the other workspace began. */
const [early, late] = ['2026-11-01', '2026-11-12'];
/** A day that this instance checked, one of another provider, and one that was not checked here. */
const [own, foreign, missed] = ['2026-11-11', '2026-11-13', '2026-11-14'];
const days = [early, own, late, foreign, missed, importedOn];
/** Instants as a row of a database shows them. */
const archivedSpans = [['2026-11-02T08:00:00.250+00:00', '2026-11-04T08:00:00+00:00']];

const empty = Object.fromEntries(
  [
    'bundleId developer iconUrl subtitle summary category releaseNotes releasedAt updatedAt',
    'contentRating minimumOsVersion developerId developerUrl inAppPurchases',
  ]
    .join(' ')
    .split(' ')
    .map((name) => [name, null]),
);
const texts = {
  ...empty,
  name: 'A listing',
  storeUrl: '',
  categoryId: '6013',
  priceMicros: 0,
  currency: 'USD',
  version: '4.2',
  sizeBytes: '12',
  languages: [],
  screenshotUrls: [],
};

let api: TestApi;
let operator: Account;
let other: Account;

beforeAll(async () => {
  api = await startApi();
  await api.db.pool.query("update position_series set provider = 'web' where store = 'ios'");
  api.clock.set(`${joinedOn}T09:00:00Z`);
  other = await api.signUp();
  await importFile(api, other, makeFile(sampleRows().filter(([table]) => !isFact(table))));
  await addOwnDays();
  api.clock.set(`${importedOn}T09:00:00Z`);
  operator = await api.signUp();
  await api.db.pool.query('update users set operator = true where id = $1', [operator.userId]);
});
afterAll(() => api.close());

const isFact = (table: string) => factTables.includes(table);

/** A check of this instance at another second than the file's, and a day with a gap. */
async function addOwnDays(): Promise<void> {
  const { rows } = await api.db.pool.query(
    "select m.id, l.id as listing from markets m, listings l where l.store_app_id = '4711'",
  );
  const { id, listing } = rows[0] as { id: number; listing: number };
  await api.db.pool.query(
    `insert into market_months (market_id, month, days) values ($1, '2026-11-01',
      overlay(decode(repeat('00', 124), 'hex') placing decode('c8000e10', 'hex') from 41))`,
    [id],
  );
  await api.db.pool.query(
    `insert into rank_months (listing_id, month, market_id, daily_ranks, depths)
     values ($1, '2026-11-01', $2, set_byte(decode(repeat('00', 31), 'hex'), 10, 3),
      set_byte(decode(repeat('00', 31), 'hex'), 10, 200))`,
    [listing, id],
  );
  await api.db.pool.query(`insert into last_ranks values ($1, $2, 200, int4send($3), '\\x03')`, [
    id,
    own,
    listing,
  ]);
  await api.db.pool.query(
    `insert into market_gaps (market_id, on_date, reason)
     select id, $1, 'shed' from markets where phrase = 'habit tracker'`,
    [missed],
  );
}

/** The workspace as it began long ago, with facts of every kind on several days. */
function fileRows(): TableRow[] {
  const rows = sampleRows();
  const tracking = {
    tracking_periods: [[early, 200]],
    archived_spans: archivedSpans,
    created_at: began,
    followed_at: began,
  };
  const tables = rows
    .filter(([table]) => !isFact(table))
    .map(([table, row]): TableRow => [
      table,
      ['apps', 'keywords', 'competitors'].includes(table) ? { ...row, ...tracking } : row,
    ]);
  const facts = rows.filter(([table]) => isFact(table));
  return [...tables, ...days.flatMap((day, index) => facts.map((row) => onDay(row, day, index)))];
}

/** The fact on another day, with an id of its own. */
function onDay([table, row]: TableRow, day: string, index: number): TableRow {
  const moved = JSON.parse(JSON.stringify(row).replaceAll('2026-11-01', day)) as typeof row;
  const ids = ['id', 'snapshotId'].filter((name) => name in moved);
  for (const name of ids) moved[name] = Number(moved[name]) + 10 * index;
  if (table === 'snapshots' || table === 'changes') moved['competitorId'] = null;
  if (table === 'snapshots') moved['fields'] = { ...texts, description: `words of ${day}` };
  if (table === 'reviews') {
    moved['storeReviewId'] = `r-${index}`;
    moved['firstSeenAt'] = moved['reviewedAt'];
  }
  if ('provider' in moved || table === 'rankings')
    moved['provider'] = day === foreign ? 'itunes' : 'web';
  return [table, moved];
}

const count = async (query: string): Promise<number> =>
  (await api.db.pool.query(`select count(*)::int as count from ${query}`)).rows[0].count;

/** The days of every kind of fact that a workspace sees. */
async function readDays(account: Account): Promise<Record<string, string[]>> {
  const query = { from: '2026-10-01', to: importedOn };
  const { items: apps } = await api.ok('GET /apps', { query: {} }, account);
  const params = { id: apps[0]!.id };
  const keywords = await api.ok('GET /apps/{id}/keywords', { params, query: {} }, account);
  const of = { keywordId: keywords.items[0]!.id };
  const at = { params: of, query };
  const rankings = await api.ok('GET /keywords/{keywordId}/rankings', at, account);
  const serps = await api.ok('GET /keywords/{keywordId}/serp/dates', at, account);
  const scores = await api.ok('GET /keywords/{keywordId}/scores', at, account);
  const changes = await api.ok('GET /apps/{id}/changes', { params, query }, account);
  const snapshots = await api.ok('GET /apps/{id}/snapshots', { params, query }, account);
  const ranks = await api.ok('GET /apps/{id}/category-ranks', { params, query }, account);
  const ratings = await api.ok('GET /apps/{id}/ratings', { params, query }, account);
  const reviews = await api.ok('GET /apps/{id}/reviews', { params, query }, account);
  const sorted = (days: string[]) => days.map((day) => day.slice(0, 10)).toSorted();
  return {
    rankings: sorted(rankings.items.map(({ date }) => date)),
    serps: sorted(serps.items.map(({ date }) => date)),
    scores: sorted(scores.items.map(({ scoredAt }) => scoredAt)),
    changes: sorted(changes.items.map(({ detectedAt }) => detectedAt)),
    snapshots: sorted(snapshots.items.map(({ takenAt }) => takenAt)),
    categoryRanks: sorted(ranks.items.map(({ date }) => date)),
    ratings: sorted(ratings.items.map(({ date }) => date)),
    reviews: sorted(reviews.items.map(({ reviewedAt }) => reviewedAt!)),
  };
}

describe('an import as public facts', () => {
  test('is refused to everybody but an operator, and nothing is written', async () => {
    const stranger = await api.signUp();
    await api.ok(
      'PUT /workspace/imports/parts/{part}',
      { params: { part: 1 }, body: { text: makeFile(fileRows()) } },
      stranger,
    );
    const before = await describeTables(api);
    const body = { format: 'ndjson' as const, parts: 1, asPublicFacts: true };
    const refused = await api.call('POST /workspace/imports', { body }, stranger);
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    expect(await describeTables(api)).toEqual(before);
  });

  test('continues after an interruption, and ends as one that was not interrupted', async () => {
    const text = makeFile(fileRows());
    // A day of reviews cannot be written: the step before it is committed, this one is not.
    await api.db.pool.query(
      `alter table reviews add constraint interrupted check (store_review_id <> 'r-1') not valid`,
    );
    const begun = await importFile(api, operator, text, { asPublicFacts: true });
    expect([begun.state, begun.asPublicFacts]).toEqual(['running', true]);
    expect(await count('snapshots')).toBe(days.length);
    expect(await count('reviews')).toBe(0);
    await api.db.pool.query('alter table reviews drop constraint interrupted');
    api.clock.advance(3_600_000);
    await runAcceptedJobs(api);
    expect(await count('reviews')).toBe(days.length);
    expect(await count('imported_facts where to_publish')).toBe(0);
    expect(await count('imported_daily_ranks where to_publish')).toBe(0);
    for (const table of ['apps', 'competitors']) {
      const { rows } = await api.db.pool.query(
        `select archived_spans from ${table} where workspace_id = $1`,
        [operator.workspaceId],
      );
      expect([table, rows]).toEqual([table, [{ archived_spans: archivedSpans }]]);
    }
    // It would lack the ranks that were published.
    expect(await count('last_ranks')).toBe(0);
  });

  test('keeps positions of other providers, of missed days and of today as evidence', async () => {
    const { rows } = await api.db.pool.query(
      'select on_date::text as day from imported_daily_ranks where workspace_id = $1 order by 1',
      [operator.workspaceId],
    );
    expect(rows.map(({ day }) => day)).toEqual([foreign, missed, importedOn]);
    expect(await count('serps')).toBe(2);
    const facts = await readPublicFacts(api.db.pool);
    expect(facts.get('market_months')).toHaveLength(1);
    for (const table of ['charts', 'changes', 'scores', 'listing_days', 'rating_days'])
      expect([table, facts.get(table)!.length]).toEqual([table, days.length]);
  });

  test('shows a workspace its history, and another one only days since its beginning', async () => {
    for (const [kind, list] of Object.entries(await readDays(operator)))
      expect([kind, [...new Set(list)]]).toEqual([kind, days]);
    const theirs = await readDays(other);
    const seen = days.filter((day) => day >= joinedOn);
    expect(theirs).toMatchObject({ rankings: [own, late], serps: [late], scores: seen });
    expect(theirs).toMatchObject({ changes: seen, categoryRanks: seen, ratings: seen });
    expect(theirs['snapshots']).not.toContain(early);
  });

  test('leaves a check of this instance as it was read', async () => {
    const { items: apps } = await api.ok('GET /apps', { query: {} }, operator);
    const { items } = await api.ok(
      'GET /apps/{id}/rankings',
      { params: { id: apps[0]!.id }, query: { from: early, to: late } },
      operator,
    );
    expect(items.map((rank) => [rank.date, 'position' in rank && rank.position])).toEqual([
      [late, 7],
      [own, 3],
      [early, 7],
    ]);
  });

  test('changes nothing when it is repeated', async () => {
    const before = await readPublicFacts(api.db.pool);
    const { report } = await importFile(api, operator, makeFile(fileRows()), {
      asPublicFacts: true,
    });
    expect(report!.tables.length).toBeGreaterThan(15);
    expect(await readPublicFacts(api.db.pool)).toEqual(before);
  });

  test('shows reviews that were never read here as such', async () => {
    const { items } = await api.ok('GET /apps', { query: {} }, operator);
    const stats = { params: { id: items[0]!.id }, query: {} };
    const { coverage } = await api.ok('GET /apps/{id}/reviews/stats', stats, operator);
    expect(coverage).toMatchObject([{ country: 'us', state: 'not_read', syncedAt: null }]);
  });

  test('raises no alert for anybody, also once the feed is read here', async () => {
    const events = await count('events');
    await api.db.pool.query(
      `insert into review_coverage (listing_id, country, synced_at)
       select id, 'us', $1 from listings where store_app_id = '4711'`,
      [new Date(api.clock.now().getTime() + 90_000_000)],
    );
    for (const evaluate of [evaluateRankAlerts, evaluateChangeAlerts])
      expect(await evaluate(api.services)).toBe(0);
    expect(await evaluateReviewAlerts(api.services)).toBe(1);
    expect(await count('events')).toBe(events);
  });

  test('keeps a category rank whose public chart does not show it as evidence', async () => {
    const admin = await api.signUp();
    await api.db.pool.query('update users set operator = true where id = $1', [admin.userId]);
    const category = { id: '6002', name: 'Utilities' };
    // Its snapshots have another category, so the app cannot be ranked in this chart.
    const elsewhere = fileRows().flatMap(([table, row]): TableRow[] =>
      table === 'charts' || (table === 'category_ranks' && row['date'] === early)
        ? [[table, { ...row, category }]]
        : [],
    );
    const text = makeFile([...fileRows(), ...elsewhere]);
    await importFile(api, admin, text, { asPublicFacts: true });
    const { items: apps } = await api.ok('GET /apps', { query: {} }, admin);
    const { items } = await api.ok(
      'GET /apps/{id}/category-ranks',
      { params: { id: apps[0]!.id }, query: { from: early, to: early } },
      admin,
    );
    const ranks = items.map((rank) => [rank.category!.id, 'position' in rank && rank.position]);
    expect(ranks).toEqual([
      ['6002', 3],
      ['6013', null],
    ]);
    const kept = `imported_facts where kind = 'category_ranks' and not to_publish
      and workspace_id = ${admin.workspaceId}`;
    expect(await count(kept)).toBe(1);
    expect(await count(`${kept} and jsonb_array_length(items) = 1`)).toBe(1);
  });

  test('needs an empty workspace, also for a file whose facts are evidence already', async () => {
    const text = makeFile(sampleRows());
    const admin = await api.signUp();
    await api.db.pool.query('update users set operator = true where id = $1', [admin.userId]);
    await importFile(api, admin, text);
    const { refusal } = await importFile(api, admin, text, { asPublicFacts: true });
    expect(refusal!.issues[0]!.path).toBe('asPublicFacts');
  });
});
