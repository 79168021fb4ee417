import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { HeavyReads, OpenedExport } from '#api/heavy-reads/heavy-read.ts';
import { heavyRoutes } from '#api/routes/heavy-routes.ts';
import { startHeavyReadThreads, type HeavyReadThreads } from '#boot/heavy-reads/start-threads.ts';
import { operations } from '#contract/index.ts';
import type { Operation } from '#contract/operation.ts';
import { writeCursor } from '#domain/base/cursor.ts';
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
let competitorId: number;

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
  ({ appId, competitorId } = await track(me));
});
afterAll(async () => {
  await api.close();
  await plain.close();
  await threads.close();
  await db.drop();
});

/** An app with a keyword and a competitor, in a workspace that counts as large. */
async function track({ workspaceId }: Account): Promise<{ appId: number; competitorId: number }> {
  const { rows } = await db.pool.query<{ appId: number; competitorId: number }>(
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
     ), other_listing as (
       insert into listings (store, store_app_id, name) values ('ios', $3, 'Streaks') returning id
     ), competitor as (
       insert into competitors (workspace_id, app_id, listing_id, tracking_periods, followed_at,
         created_at)
       select $1, app.id, other_listing.id, '[["2026-01-01"]]', '2026-01-01', '2026-01-01'
       from app, other_listing returning id
     ), budget as (
       insert into budgets (workspace_id, store, markets, requests, learned, listings,
         listing_requests)
       values ($1, 'ios', 600, 600, false, 1, 1)
       on conflict (workspace_id, store) do update set markets = 600
     )
     select app.id as "appId", competitor.id as "competitorId" from app, competitor`,
    [workspaceId, String(1_000 + workspaceId), String(500_000 + workspaceId)],
  );
  return rows[0]!;
}

const range = { from: '2026-11-01', to: '2026-11-20' };
const rules = [{ event: 'rank.dropped', enabled: true, scope: {} }];
const days = `from=${range.from}&to=${range.to}`;
const matrix = ['GET', () => `/apps/${appId}/rankings/matrix?${days}`] as const;
const backtest = ['POST', () => '/alerts/rules/backtest'] as const;
const exportAs = (format: string) =>
  ['GET', () => `/apps/${appId}/exports/keywords?format=${format}`] as const;
const competitorPath = () => `/apps/${appId}/competitors/${competitorId}/visibility`;
const thirdPage = () =>
  `?${days}&limit=5&cursor=${encodeURIComponent(writeCursor(competitorPath(), [10]))}`;
/** At least one for each heavy operation. */
const reads: Record<string, readonly (readonly ['GET' | 'POST', () => string])[]> = {
  'GET /apps/{id}/rankings/matrix': [matrix],
  'GET /apps/{id}/competitors/{cid}/visibility': [
    ['GET', () => `${competitorPath()}?${days}`],
    ['GET', () => `${competitorPath()}${thirdPage()}`],
    ['GET', () => `${competitorPath()}?${days}&cursor=other`],
  ],
  'GET /digests/weekly': [
    ['GET', () => '/digests/weekly'],
    ['GET', () => '/digests/weekly?format=html'],
  ],
  'GET /scores/evaluation': [['GET', () => '/scores/evaluation']],
  'POST /alerts/rules/backtest': [backtest],
};
const send = (
  to: TestApi,
  [method, path]: readonly ['GET' | 'POST', () => string],
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

test.each(Object.keys(heavyRoutes))(
  '%s gives the same bytes in a thread as in the process',
  async (key) => {
    const run = vi.spyOn(threads, 'run');
    expect(reads[key]).toBeDefined();
    for (const read of reads[key]!) {
      const [inThread, inProcess] = [await send(api, read), await send(plain, read)];
      expect([inThread.status, inThread.text]).toEqual([inProcess.status, inProcess.text]);
      expect(inThread.status).toBeLessThan(500);
    }
    expect(run.mock.calls.map(([read]) => read.key)).toEqual(reads[key]!.map(() => key));
    run.mockRestore();
  },
);

test('a page of a heavy list is cut in the thread', async () => {
  const whole = await send(api, ['GET', () => `${competitorPath()}?${days}`]);
  const page = await send(api, ['GET', () => `${competitorPath()}${thirdPage()}`]);
  expect(whole.body.items).toHaveLength(20);
  expect(page.body.items).toEqual(whole.body.items.slice(10, 15));
});

test.each(['csv', 'ndjson', 'json'])(
  'an export as %s is the same from a thread',
  async (format) => {
    const openExport = vi.spyOn(threads, 'openExport');
    const [inThread, inProcess] = [
      await send(api, exportAs(format)),
      await send(plain, exportAs(format)),
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
  const read = exportAs('csv&from=2026-11-01');
  const [inThread, inProcess] = [await send(api, read), await send(plain, read)];
  expect(inThread.status).toBe(400);
  expect(inThread.body.issues).toEqual(inProcess.body.issues);
});

test('another workspace’s app is not found, with the same error', async () => {
  let other = await api.signUp();
  other = { ...other, headers: (await api.token(other)).headers };
  await track(other);
  const [inThread, inProcess] = [await send(api, matrix, other), await send(plain, matrix, other)];
  expect([inThread.status, inThread.body.code]).toEqual([404, 'not_found']);
  expect(inProcess.status).toBe(404);
});

/** Statements wait for the table of keywords while `work` runs. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  const blocker = await db.pool.connect();
  try {
    await blocker.query('begin; lock table keywords in access exclusive mode');
    await work();
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
}

async function listWaiting(): Promise<number[]> {
  const { rows } = await db.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where wait_event_type = 'Lock'
     and datname = current_database() and query like '%keywords%'`,
  );
  return rows.map(({ pid }) => pid);
}
const countWaiting = async () => (await listWaiting()).length;

test('work ends when its client leaves, and the next request is served', async () => {
  await whileLocked(async () => {
    const leaving = new AbortController();
    const left = send(api, backtest, me, leaving.signal).catch((error: Error) => error.name);
    await expect.poll(countWaiting).toBe(1);
    leaving.abort();
    expect(await left).toBe('AbortError');
    // The lock is still held: only the end of the thread can end the statement.
    await expect.poll(countWaiting).toBe(0);
  });
  expect((await send(api, backtest)).status).toBe(200);
});

test.each([
  ['a heavy read', backtest],
  ['an export', exportAs('csv')],
])('%s whose statement the database ends is unavailable', async (_name, read) => {
  await whileLocked(async () => {
    const sent = send(api, read);
    await expect.poll(countWaiting).toBe(1);
    await db.pool.query('select pg_cancel_backend($1)', await listWaiting());
    const { status, body, headers } = await sent;
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '2']);
  });
});

/** As many as one thread sends at a time. */
const exportsAtOnce = 8;

test('exports of which nobody reads a chunk leave their thread', async () => {
  const openExport = vi.spyOn(threads, 'openExport');
  await send(api, exportAs('csv'));
  const [read] = openExport.mock.calls[0]!;
  openExport.mockRestore();
  for (const end of ['return', 'throw'] as const)
    for (let number = 0; number < exportsAtOnce; number += 1) {
      const { text } = (await threads.openExport(read)) as OpenedExport;
      await text[end](new Error('left')).catch(() => undefined);
    }
  expect((await send(api, exportAs('csv'))).status).toBe(200);
});

test('exports that open after their client has left or been refused end', async () => {
  const hasty = await startApi({
    db,
    clock: plain.clock,
    deps: { heavyReads: threads, timeoutsMs: { read: 2_000 } },
  });
  const { exportSlots } = hasty.app.api;
  const { signal } = new AbortController();
  const takeSlot = () => exportSlots.acquire(me.workspaceId, signal);
  // A compressor would read a short text although nobody reads from it.
  const uncompressed = { 'accept-encoding': 'identity' };
  const openExport = vi.spyOn(threads, 'openExport');
  for (let opened = 2; opened <= 2 * exportsAtOnce; opened += 2) {
    await whileLocked(async () => {
      const leaving = new AbortController();
      const left = send(hasty, exportAs('csv'), me, leaving.signal).catch(() => 'left');
      const late = hasty.raw(exportAs('csv')[1](), { headers: uncompressed }, me);
      await expect.poll(() => openExport.mock.calls.length).toBe(opened);
      leaving.abort();
      expect(await left).toBe('left');
      expect((await late).status).toBe(503);
      // Both are still opening, so a third one waits for a slot until its own deadline.
      expect((await send(hasty, exportAs('csv'))).status).toBe(503);
    });
    for (const release of await Promise.all([takeSlot(), takeSlot()])) release();
    expect(openExport).toHaveBeenCalledTimes(opened);
  }
  openExport.mockRestore();
  expect((await send(api, exportAs('csv'))).status).toBe(200);
  await hasty.close();
});

/** Requests an export that sends `chunks` and fails when `end` is called. */
async function requestFailing(chunks: readonly string[], encoding: string) {
  const end = Promise.withResolvers<void>();
  async function* text(): AsyncGenerator<string> {
    yield* chunks;
    await end.promise;
    throw Object.assign(new Error('canceling statement'), { code: '57014' });
  }
  const heavyReads: HeavyReads = {
    servesEveryWorkspace: true,
    run: () => Promise.reject(new Error('this test reads nothing else')),
    openExport: async () => ({ kind: 'export', fileName: 'keywords', text: text() }),
  };
  const failing = await startApi({ db, clock: plain.clock, deps: { heavyReads } });
  const headers = { ...me.headers, 'accept-encoding': encoding };
  const response = fetch(`${failing.url}${exportAs('csv')[1]()}`, { headers });
  return { response, end: end.resolve, close: failing.close };
}

describe.each(['identity', 'gzip', 'br'])('an export as %s that fails', (encoding) => {
  test('before its first chunk is an error like any other', async () => {
    const { response, end, close } = await requestFailing([], encoding);
    end();
    const sent = await response;
    const { headers } = sent;
    expect(await sent.json()).toMatchObject({ statusCode: 503, code: 'unavailable' });
    expect(headers.get('content-encoding')).toBeNull();
    expect(headers.get('content-disposition')).toBeNull();
    await close();
  });

  test('after its first chunk breaks the connection', async () => {
    const { response, end, close } = await requestFailing(['name\r\n'], encoding);
    const { status, body } = await response;
    expect(status).toBe(200);
    end();
    await expect(body!.pipeTo(new WritableStream())).rejects.toThrow('terminated');
    await close();
  });
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
