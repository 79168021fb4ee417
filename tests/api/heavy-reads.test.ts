import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { heavyRoutes } from '#api/routes/heavy-routes.ts';
import { startHeavyReadThreads, type HeavyReadThreads } from '#boot/heavy-reads/start-threads.ts';
import { operations } from '#contract/index.ts';
import type { Operation } from '#contract/operation.ts';
import { createFairLimit, LimitExceededError } from '#lib/fair-limit.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let db: TestDatabase;
let threads: HeavyReadThreads;
/** The same database behind an API with threads and one without. */
let api: TestApi;
let plain: TestApi;
let me: Account;
let appId: number;

beforeAll(async () => {
  db = await createTestDatabase();
  plain = await startApi({ db });
  const { endpoints: _, egress: __, ...settings } = plain.services.settings;
  threads = startHeavyReadThreads({ databaseUrl: db.url, logLevel: 'silent', settings });
  // A busy machine needs seconds to start a thread.
  const timeoutsMs = { read: 60_000 };
  api = await startApi({ db, clock: plain.clock, deps: { heavyReads: threads, timeoutsMs } });
  me = await api.signUp();
  me = { ...me, headers: (await api.token(me)).headers };
  appId = await track(me);
});
afterAll(async () => {
  await api.close();
  await plain.close();
  await threads.close();
  await db.drop();
});

/** An app with a keyword, in a workspace that counts as large. */
async function track({ workspaceId }: Account): Promise<number> {
  const { rows } = await db.pool.query<{ id: number }>(
    `with listing as (
       insert into listings (store, store_app_id, name) values ('ios', $2, 'Habits') returning id
     ), market as (
       insert into markets (store, country, device, phrase)
       values ('ios', 'us', 'iphone', $2) returning id
     ), app as (
       insert into apps (workspace_id, listing_id, primary_country, created_at)
       select $1, id, 'us', '2026-01-01' from listing returning id
     ), keyword as (
       insert into keywords (workspace_id, app_id, market_id, country, device, phrase, depth,
         tracking_periods, created_at)
       select $1, app.id, market.id, 'us', 'iphone', $2, 200, '[["2026-01-01", 200]]', '2026-01-01'
       from app, market
     ), budget as (
       insert into budgets (workspace_id, store, markets, requests, learned, listings,
         listing_requests)
       values ($1, 'ios', 600, 600, false, 1, 1)
       on conflict (workspace_id, store) do update set markets = 600
     )
     select id from app`,
    [workspaceId, String(1_000 + workspaceId)],
  );
  return rows[0]!.id;
}

const range = { from: '2026-11-01', to: '2026-11-20' };
const rules = [{ event: 'rank.dropped', enabled: true, scope: {} }];
const reads = [
  ['GET', () => `/apps/${appId}/rankings/matrix?from=${range.from}&to=${range.to}`],
  ['GET', () => '/digests/weekly'],
  ['GET', () => '/digests/weekly?format=html'],
  ['POST', () => '/alerts/rules/backtest'],
] as const;
const send = (
  to: TestApi,
  [method, path]: (typeof reads)[number],
  account = me,
  signal?: AbortSignal,
) =>
  to.raw(
    path(),
    {
      method,
      ...(method === 'POST' && {
        body: JSON.stringify({ rules, days: 30 }),
        headers: { 'content-type': 'application/json' },
      }),
      ...(signal && { signal }),
    },
    account,
  );

test('every heavy operation has its file, and no other one has', () => {
  const heavy = Object.entries(operations as Record<string, Operation>).filter(
    ([, { heavy }]) => heavy,
  );
  expect(heavy.map(([key]) => key).toSorted()).toEqual(Object.keys(heavyRoutes).toSorted());
});

test.each([...reads.keys()])(
  'heavy read %i gives the same bytes in a thread as in the process',
  async (index) => {
    const read = reads[index]!;
    const run = vi.spyOn(threads, 'run');
    const [inThread, inProcess] = [await send(api, read), await send(plain, read)];
    expect(run).toHaveBeenCalledOnce();
    expect([inThread.status, inThread.text]).toEqual([inProcess.status, inProcess.text]);
    expect(inThread.status).toBeLessThan(500);
    run.mockRestore();
  },
);

test.each(['csv', 'ndjson', 'json'])(
  'an export as %s is the same from a thread',
  async (format) => {
    const openExport = vi.spyOn(threads, 'openExport');
    const path = () => `/apps/${appId}/exports/keywords?format=${format}`;
    const [inThread, inProcess] = [
      await send(api, ['GET', path] as never),
      await send(plain, ['GET', path] as never),
    ];
    expect(openExport).toHaveBeenCalledOnce();
    openExport.mockRestore();
    expect([inThread.status, inThread.text]).toEqual([200, inProcess.text]);
    expect(inThread.headers.get('content-disposition')).toBe(
      inProcess.headers.get('content-disposition'),
    );
  },
);

test('an export that the domain refuses has the same error from a thread', async () => {
  const path = () => `/apps/${appId}/exports/keywords?format=csv&from=2026-11-01`;
  const [inThread, inProcess] = [
    await send(api, ['GET', path] as never),
    await send(plain, ['GET', path] as never),
  ];
  expect(inThread.status).toBe(400);
  expect(inThread.body.issues).toEqual(inProcess.body.issues);
});

test('another workspace’s app is not found, with the same error', async () => {
  let other = await api.signUp();
  other = { ...other, headers: (await api.token(other)).headers };
  await track(other);
  const [inThread, inProcess] = [
    await send(api, reads[0], other),
    await send(plain, reads[0], other),
  ];
  expect([inThread.status, inThread.body.code]).toEqual([404, 'not_found']);
  expect(inProcess.status).toBe(404);
});

test('work ends when its client leaves, and the next request is served', async () => {
  const blocker = await db.pool.connect();
  try {
    await blocker.query('begin; lock table keywords in access exclusive mode');
    const leaving = new AbortController();
    const left = send(api, reads[3], me, leaving.signal).catch((error: Error) => error.name);
    const countWaiting = async () =>
      (
        await db.pool.query(
          `select 1 from pg_stat_activity where wait_event_type = 'Lock'
           and datname = current_database() and query like '%keywords%'`,
        )
      ).rows.length;
    await expect.poll(countWaiting).toBe(1);
    leaving.abort();
    expect(await left).toBe('AbortError');
    // The lock is still held: only the end of the thread can end the statement.
    await expect.poll(countWaiting).toBe(0);
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
  expect((await send(api, reads[3])).status).toBe(200);
});

test('a fair limit serves keys round-robin, one at a time each', async () => {
  const limit = createFairLimit({ total: 2, perKey: 1, maxWaitingPerKey: 3 });
  const { signal } = new AbortController();
  const order: string[] = [];
  const releases: (() => void)[] = [];
  const start = (key: number, name: string) =>
    limit.acquire(key, signal).then((release) => {
      order.push(name);
      releases.push(release);
    });
  const all = [start(1, 'a1'), start(1, 'a2'), start(1, 'a3'), start(2, 'b1'), start(3, 'c1')];
  await Promise.all([all[0], all[3]]);
  expect(order).toEqual(['a1', 'b1']);
  while (order.length < 5) {
    releases.shift()!();
    await new Promise(setImmediate);
  }
  expect(order).toEqual(['a1', 'b1', 'a2', 'c1', 'a3']);
});

test('a fair limit refuses what would wait behind too much of its own key', async () => {
  const limit = createFairLimit({ total: 1, perKey: 1, maxWaitingPerKey: 1 });
  const { signal } = new AbortController();
  const release = await limit.acquire(1, signal);
  const leaving = new AbortController();
  const waiting = limit.acquire(1, leaving.signal);
  await expect(limit.acquire(1, signal)).rejects.toThrow(LimitExceededError);
  leaving.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  const next = limit.acquire(2, signal);
  release();
  release();
  (await next)();
});
