import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventSamples } from '#contract/events.ts';
import { takeDueMarkets } from '#db/queries/runs/market-schedule.ts';
import { emitEvents } from '#domain/alerting/events/emit-events.ts';
import { inSystem } from '#domain/base/context.ts';
import { resumeTracking, stepsInTransaction } from '#domain/transfer/imports/resume-tracking.ts';
import {
  importWorkspace,
  type Ending,
  type Pieces,
} from '#domain/transfer/imports/import-workspace.ts';
import { purgeDeleted } from '#domain/accounts/auth/purge-deleted.ts';
import { refreshStaleBudgets } from '#domain/base/budget/refresh-budget.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { schedule } from '../harness/background-work.ts';
import { makeFile, sampleRows, type TableRow } from './imports.fixtures.ts';
import { recordMarketSearch, describeTables, insertApp, marketIdOf } from './keywords.fixtures.ts';

let api: TestApi;
/** Tracks the keywords of the file. */
let bob: Account;
let appOfBob: { id: number; listingId: number };
/** Tables that an import writes and the run uses. */
const rowsOfTheRun = [
  'market_schedule',
  'listing_schedule',
  'store_tasks',
  'store_task_demand',
  'market_months',
  'rank_months',
  'budgets',
  'event_counters',
];
/** Names of phrases and apps are written first and belong to no workspace. */
const names = ['markets', 'listings'];
/** Foreign keys point to these, which alone does not block writes. */
const pointedTo = ['markets', 'listings', 'workspaces', 'apps', 'keywords'];

beforeAll(async () => {
  api = await startApi();
  bob = await api.signUp();
  appOfBob = await insertApp(api, bob, { storeAppId: '4711' });
});
afterAll(() => api.close());

const follow = (phrase: string) =>
  api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: appOfBob.id }, body: { phrases: [phrase], countries: ['us'] } },
    bob,
  );

/** The size of a file that fits into a request. */
const endWithin = (who: Account): Ending => ({
  follow: (tx) => resumeTracking(who.ctx, stepsInTransaction(tx)),
  finish: async () => {},
});

/** The sample with keywords of these phrases added. */
function rowsWith(phrases: readonly string[]): TableRow[] {
  const rows = sampleRows();
  const [, keyword] = rows.find(([table]) => table === 'keywords')!;
  const others = phrases.map((phrase, index): TableRow => [
    'keywords',
    { ...keyword, id: 600 + index, phrase },
  ]);
  const at = rows.findIndex(([table]) => table === 'keywords') + 1;
  return [...rows.slice(0, at), ...others, ...rows.slice(at)];
}

/** A file that stops before the end of its nth pass until it is released. */
function gate(text: string, reading: number) {
  const reached = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  let readings = 0;
  const pieces: Pieces = async function* (tx) {
    const isHeld = tx !== null && ++readings === reading;
    const cut = text.lastIndexOf('\n', text.length - 2) + 1;
    yield text.slice(0, cut);
    if (isHeld) {
      // The pending batch is written before the last line is read.
      reached.resolve();
      await open.promise;
    }
    yield text.slice(cut);
  };
  return { pieces, reached: reached.promise, open: open.resolve };
}

describe('while an import is being written', () => {
  test.each([
    ['its rows', 1],
    ['its events', 2],
  ])('%s: the run, other workspaces and maintenance go on', async (_name, reading) => {
    const ann = await api.signUp();
    const [shared, unknown] = [`followed by both ${reading}`, `only in the file ${reading}`];
    await follow(shared);
    const { pieces, reached, open } = gate(makeFile(rowsWith([shared, unknown])), reading);
    const work = importWorkspace(ann.ctx, { pieces, asPublicFacts: false }, endWithin(ann));
    await reached;
    const { rows: held } = await api.db.pool.query(
      "select from pg_stat_activity where state = 'idle in transaction' and backend_xid is " +
        'not null and datname = current_database()',
    );
    expect(held).toHaveLength(1);

    await inSystem(api.services, async (tx) => {
      for (const table of rowsOfTheRun)
        await sql`select from ${sql.table(table)} for update nowait`.execute(tx);
      for (const table of pointedTo)
        await sql`select from ${sql.table(table)} for no key update nowait`.execute(tx);
    });
    const now = api.clock.now();
    const marketId = await marketIdOf(api, shared);
    const due = await takeDueMarkets(api.services.systemDb, {
      store: 'ios',
      day: '2026-11-21',
      now,
      until: new Date(now.getTime() + 1),
      limit: 500,
    });
    expect(due.map((market) => market.marketId)).toContain(marketId);
    await recordMarketSearch(api, { marketId, listingIds: [appOfBob.listingId] });
    expect((await follow(unknown)).added).toHaveLength(1);
    const fact = {
      workspaceId: bob.workspaceId,
      appId: null,
      occurredAt: now,
      data: eventSamples['digest.weekly'],
    };
    await inSystem(api.services, (tx) =>
      emitEvents(tx, api.services, [{ ...fact, type: 'digest.weekly', key: `test ${reading}` }]),
    );
    await api.db.pool.query(
      `insert into runs (date, opened_at, finished_at, state) values ('2026-11-20', $1, $1,
         'finished') on conflict (date) do update set finished_at = excluded.finished_at`,
      [api.clock.now()],
    );
    expect(await refreshStaleBudgets(api.services)).toBeGreaterThan(0);
    for (const { trigger, run } of schedule.periodicTasks)
      if (trigger !== 'run-opened') await run(api.services, AbortSignal.timeout(60_000));
    await api.ok('PATCH /settings', { body: { digestHour: reading } }, bob);

    expect((await api.ok('GET /apps', null, ann)).items).toEqual([]);
    open();
    expect((await work).tables.every(({ rows, imported }) => rows === imported)).toBe(true);
    expect((await api.ok('GET /apps', null, ann)).items).toHaveLength(1);
  });

  test('a failure in the middle leaves only names, and the next attempt is complete', async () => {
    const ann = await api.signUp();
    const text = makeFile(rowsWith(['mood journal', 'water reminder']));
    const before = await describeTables(api, names);
    const broken: Pieces = async function* (tx) {
      yield text.slice(0, -100);
      if (tx !== null) throw new Error('the worker is gone');
      yield text.slice(-100);
    };
    await expect(
      importWorkspace(ann.ctx, { pieces: broken, asPublicFacts: false }, endWithin(ann)),
    ).rejects.toThrow('gone');
    expect(await describeTables(api, names)).toEqual(before);
    const whole: Pieces = async function* () {
      yield text;
    };
    const report = await importWorkspace(
      ann.ctx,
      { pieces: whole, asPublicFacts: false },
      endWithin(ann),
    );
    expect(report.tables.find(({ table }) => table === 'keywords')).toMatchObject({
      rows: 3,
      imported: 3,
    });
  });

  test('parts that changed at the end are refused and leave only names', async () => {
    const ann = await api.signUp();
    const [first, second] = [
      makeFile(rowsWith(['mood journal', 'water reminder'])),
      makeFile(
        rowsWith(['mood journal', 'water reminder']).filter(([table]) => table !== 'rankings'),
      ),
    ];
    const before = await describeTables(api, names);
    const changing: Pieces = async function* (tx) {
      yield tx === null ? first : second;
    };
    await expect(
      importWorkspace(ann.ctx, { pieces: changing, asPublicFacts: false }, endWithin(ann)),
    ).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(await describeTables(api, names)).toEqual(before);
  });
});

test('a plan that ends during an import is exceeded by all of its apps', async () => {
  const ann = await api.signUp();
  const setPlan = (plan: string) =>
    api.db.pool.query('update workspaces set plan = $2 where id = $1', [ann.workspaceId, plan]);
  const [, app] = sampleRows().find(([table]) => table === 'apps')!;
  const apps = Array.from({ length: 11 }, (_, index): TableRow => [
    'apps',
    { ...app, id: index + 1, listing: { store: 'ios', storeAppId: `77${index}` } },
  ]);
  await setPlan('ultimate');
  const pieces: Pieces = async function* (tx) {
    if (tx !== null) await setPlan('indie');
    yield makeFile(apps);
  };
  const ctx = { ...ann.ctx, settings: { ...ann.ctx.settings, billingEnabled: true } };
  await expect(
    importWorkspace(ctx, { pieces, asPublicFacts: false }, endWithin(ann)),
  ).rejects.toMatchObject({
    code: 'quota_apps',
    detail: { quota: { limit: 10, used: 0, requested: 11 } },
  });
});

test('it cannot deadlock with other imports, new keywords, deletions and purges', async () => {
  const phrases = Array.from({ length: 60 }, (_, index) => `phrase ${(index * 37) % 60}`);
  const [, keyword] = sampleRows().find(([table]) => table === 'keywords')!;
  const rows = (order: readonly string[]): TableRow[] => [
    ...sampleRows().filter(([table]) => table === 'apps'),
    ...order.map((phrase, index): TableRow => [
      'keywords',
      { ...keyword, id: 1_000 + index, phrase },
    ]),
  ];
  const body = (order: readonly string[]) => ({
    body: { format: 'ndjson' as const, text: makeFile(rows(order)) },
  });
  for (let round = 0; round < 3; round += 1) {
    const people = await Promise.all(Array.from({ length: 6 }, () => api.signUp()));
    const [gone, purged] = [people[4]!, people[5]!];
    for (const person of [gone, purged])
      await api.ok('POST /workspace/imports', body(phrases), person);
    await api.db.pool.query('update workspaces set delete_at = $2 where id = $1', [
      purged.workspaceId,
      api.clock.now(),
    ]);
    const { id } = await insertApp(api, people[3]!, { storeAppId: '4711' });
    const confirmName = (await api.ok('GET /workspace', null, gone)).name;
    const responses = await Promise.all([
      api.call('POST /workspace/imports', body(phrases), people[0]),
      api.call('POST /workspace/imports', body(phrases.toReversed()), people[1]),
      api.call('POST /workspace/imports', body(phrases.toSorted()), people[2]),
      api.call(
        'POST /apps/{id}/keywords',
        { params: { id }, body: { phrases: phrases.toReversed(), countries: ['us'] } },
        people[3],
      ),
      api.call('DELETE /workspace', { body: { confirmName } }, gone),
      purgeDeleted(api.services).then((status) => ({ status })),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 201, 200, 1]);
  }
  const { rows: expected } = await api.db.pool.query(
    'select distinct s.depth from markets m join market_schedule s on s.market_id = m.id ' +
      "where m.phrase like 'phrase %'",
  );
  expect(expected).toEqual([{ depth: 200 }]);
});
