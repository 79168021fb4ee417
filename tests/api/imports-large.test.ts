import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { takeBackgroundJobs } from '#db/queries/jobs/background-jobs.ts';
import { lockListings } from '#db/queries/rankings/markets.ts';
import type { Tx } from '#db/database.ts';
import { inTenant } from '#domain/base/context.ts';
import { ListingCache } from '#domain/tracking/listings/listing-cache.ts';
import { importWorkspace } from '#domain/transfer/imports/import-workspace.ts';
import { registry } from '#jobs/registry.ts';
import { runBackgroundWork } from '#jobs/run-background-work.ts';
import { addDays } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { insertApp } from './keywords.fixtures.ts';
import { makeFile, sampleRows, type Row, type TableRow } from './imports.fixtures.ts';
import { jobKinds } from '../harness/background-work.ts';

/**
 * The long form is as large as an import may be; the short one needs more than one step at its end.
 */
const isLong = process.env.TORTURE === '1';
const size = isLong
  ? { apps: 1_000, keywords: 50_000, competitors: 50_000 }
  : { apps: 60, keywords: 600, competitors: 600 };
const partCharacters = 250_000;
const statementLimitMs = 10_000;

let api: TestApi;
let bob: Account;
let appOfBob: number;

beforeAll(async () => {
  api = await startApi();
  bob = await api.signUp();
  appOfBob = (await insertApp(api, bob, { storeAppId: '1100' })).id;
});
afterAll(() => api.close());

const phraseOf = (index: number) => `words ${index}`;

/** Each app has keywords in three countries, and competitors of its own. */
function makeLargeFile(): string {
  const sample = Object.fromEntries(sampleRows()) as Record<string, Row>;
  const rowsOf = (table: string, count: number, change: (index: number) => Row) =>
    Array.from({ length: count }, (_, index): TableRow => [
      table,
      { ...sample[table], id: index + 1, tags: [], ...change(index) },
    ]);
  const listing = (id: number) => ({ store: 'ios', storeAppId: String(id), name: 'a listing' });
  const ofApp = (index: number) => ({ app_id: (index % size.apps) + 1 });
  return makeFile([
    ...rowsOf('apps', size.apps, (index) => ({ listing: listing(1_000_000 + index) })),
    ...rowsOf('keywords', size.keywords, (index) => ({
      ...ofApp(index),
      phrase: phraseOf(index),
      country: ['us', 'de', 'fr'][(index % 7) % 3],
    })),
    ...rowsOf('competitors', size.competitors, (index) => ({
      ...ofApp(index),
      listing: listing(5_000_000 + index),
    })),
  ]);
}

async function ask(who: Account, text: string): Promise<{ importId: number; jobId: number }> {
  const parts = Math.ceil(text.length / partCharacters);
  for (let part = 1; part <= parts; part += 1) {
    const piece = text.slice((part - 1) * partCharacters, part * partCharacters);
    await api.ok(
      'PUT /workspace/imports/parts/{part}',
      { params: { part }, body: { text: piece } },
      who,
    );
  }
  const { poll } = (await api.ok(
    'POST /workspace/imports',
    { body: { format: 'ndjson', parts } },
    who,
  )) as { poll: string };
  const now = api.clock.now();
  const [taken] = await takeBackgroundJobs(api.services.systemDb, {
    now,
    until: new Date(now.getTime() + 120_000),
    limit: 1,
    kinds: jobKinds,
  });
  return { importId: Number(poll.split('/').at(-1)), jobId: taken!.id };
}

const work = (jobId: number, signal: AbortSignal, wake = () => {}) =>
  runBackgroundWork(
    registry,
    { ...api.services, wake, listingCache: new ListingCache() },
    { kind: 'job', jobId },
    signal,
  );

/** The longest statement during the work, sampled ten times a second. */
async function watchStatements(done: Promise<unknown>): Promise<{ ms: number; text: string }> {
  let longest = { ms: 0, text: '' };
  let isDone = false;
  const end = done.finally(() => (isDone = true));
  while (!isDone) {
    const { rows } = await api.db.pool.query(
      `select (extract(epoch from clock_timestamp() - query_start) * 1000)::int as ms,
         left(regexp_replace(query, '\\s+', ' ', 'g'), 80) as text from pg_stat_activity
       where state = 'active' and backend_type = 'client backend' and datname = current_database()
         and pid <> pg_backend_pid() order by 1 desc limit 1`,
    );
    if (rows[0]?.ms > longest.ms) longest = rows[0] as typeof longest;
    await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 100))]);
  }
  await end;
  return longest;
}

/** Another workspace keeps adding keywords of the file; returns the longest time of an addition. */
async function addConcurrently(done: Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let isDone = false;
  void done.finally(() => (isDone = true)).catch(() => undefined);
  for (let index = 0; !isDone && index < size.keywords; index += 1) {
    const began = performance.now();
    const body = {
      phrases: [phraseOf((index * 7) % size.keywords)],
      countries: ['us', 'de', 'fr'],
    };
    await api.ok('POST /apps/{id}/keywords', { params: { id: appOfBob }, body }, bob);
    longestMs = Math.max(longestMs, Math.round(performance.now() - began));
  }
  return longestMs;
}

/** Runs the job until the stores received requests for some apps, and stops its worker. */
async function workUntilStopped(jobId: number): Promise<void> {
  const stop = new AbortController();
  let wakes = 0;
  const wake = () => {
    wakes += 1;
    if (wakes === 20) stop.abort(new Error('the worker is stopped'));
  };
  await expect(work(jobId, stop.signal, wake)).rejects.toThrow('stopped');
}

test('a large workspace is imported in short statements and resumes after any stop', async () => {
  const ann = await api.signUp();
  const text = makeLargeFile();
  const read = (importId: number) =>
    api.ok('GET /workspace/imports/{importId}', { params: { importId } }, ann);
  const began = performance.now();
  const importAll = async () => {
    const { importId, jobId } = await ask(ann, text);
    await workUntilStopped(jobId);
    const tables = [size.apps, size.keywords, size.competitors].map((imported) => ({ imported }));
    expect(await read(importId)).toMatchObject({ state: 'running', report: { tables } });
    await workUntilStopped(jobId);
    await api.db.pool.query("update jobs set state = 'failed' where id = $1", [jobId]);
    const again = await ask(ann, text);
    await work(again.jobId, new AbortController().signal);
    expect(await read(again.importId)).toMatchObject({
      state: 'succeeded',
      refusal: null,
      report: { tables },
    });
  };
  const done = importAll();
  const [longest, waitedMs] = await Promise.all([watchStatements(done), addConcurrently(done)]);
  if (isLong)
    console.info(
      `imported in ${Math.round(performance.now() - began)} ms; others waited for ` +
        `${waitedMs} ms; longest statement:`,
      longest,
    );
  expect(longest.ms).toBeLessThan(statementLimitMs);
  expect(waitedMs).toBeLessThan(statementLimitMs);

  const { rows } = await api.db.pool.query(
    `select (select count(*)::int from keywords k
       join market_schedule s on s.market_id = k.market_id and s.depth = 200
         where k.workspace_id = $1) as markets,
       (select count(distinct s.listing_id)::int from listing_schedule s
         join listings l on l.id = s.listing_id
        where s.active and s.urgent_at is not null and l.store_app_id::int >= 1000000) as listings,
       (select count(distinct d.listing_id)::int from store_task_demand d
         join listings l on l.id = d.listing_id where l.store_app_id::int >= 1000000) as requested,
       (select max(n)::int from (select count(*) as n from jobs
         where workspace_id = $1 and app_id is not null group by app_id, kind) as each) as each,
       (select count(*)::int from jobs where workspace_id = $1 and app_id is not null) as readings`,
    [ann.workspaceId],
  );
  const followed = size.apps + size.competitors;
  expect(rows[0]).toEqual({
    markets: size.keywords,
    listings: followed,
    requested: followed,
    each: 1,
    readings: 2 * size.apps,
  });
});

test('the newest and best ranks are those of all batches, and no rank is read again', async () => {
  const ann = await api.signUp();
  const sample = Object.fromEntries(sampleRows()) as Record<string, Row>;
  const keywords = [901, 902].map((id): TableRow => {
    return ['keywords', { ...sample.keywords, id, phrase: phraseOf(id) }];
  });
  // Newest first, as an export has them; the best ones are in the first and the last batch.
  const ranks = [901, 902].flatMap((keywordId) =>
    Array.from({ length: 1_100 }, (_, index): TableRow => {
      const date = addDays('2026-11-20', -index);
      const isBest = index === (keywordId === 901 ? 3 : 1_050);
      return [
        'rankings',
        { keywordId, date, position: isBest ? 2 : 9, depth: 200, checkedAt: `${date}T03:00:00Z` },
      ];
    }),
  );
  const text = makeFile([['apps', sample.apps!], ...keywords, ...ranks]);
  let read: unknown;
  const finish = async (tx: Tx) => {
    const { rows } = await sql`select seq_tup_read + idx_tup_fetch as read
      from pg_stat_xact_user_tables where relname = 'imported_daily_ranks'`.execute(tx);
    [read] = rows;
  };
  const pieces = async function* () {
    yield text;
  };
  await importWorkspace(
    ann.ctx,
    { pieces, asPublicFacts: false },
    { follow: async () => undefined, finish },
  );
  expect(read).toEqual({ read: 0n });
  const { rows } = await api.db.pool.query(
    `select latest_on::text, latest_position, best_on::text, best_position from keywords
     where workspace_id = $1 order by id`,
    [ann.workspaceId],
  );
  expect(rows).toEqual(
    [3, 1_050].map((index) => ({
      latest_on: '2026-11-20',
      latest_position: 9,
      best_on: addDays('2026-11-20', -index),
      best_position: 2,
    })),
  );
});

const waitForLock = (statement: string) =>
  vi.waitUntil(
    async () => {
      const { rows } = await api.db.pool.query(
        `select from pg_stat_activity where datname = current_database()
           and wait_event_type = 'Lock' and query like $1`,
        [statement],
      );
      return rows.length > 0;
    },
    { timeout: 60_000 },
  );

test('an attempt that overlaps one of a stopped worker ends the import', async () => {
  const ann = await api.signUp();
  const { importId, jobId } = await ask(ann, makeLargeFile());
  const [writing, reading] = [await api.db.pool.connect(), await api.db.pool.connect()];
  await writing.query('begin; lock table competitors in share mode');
  const first = workUntilStopped(jobId);
  await waitForLock('%insert into competitors%');
  const locked = reading.query('begin; lock table import_parts in access exclusive mode');
  await waitForLock('begin; lock table import_parts%');
  const second = work(jobId, new AbortController().signal);
  await waitForLock('%select data from import_parts%');
  await writing.query('rollback');
  // The first attempt commits, deletes the parts, and is stopped.
  await first;
  await locked;
  await reading.query('rollback');
  await second;
  for (const client of [writing, reading]) client.release();
  expect(
    await api.ok('GET /workspace/imports/{importId}', { params: { importId } }, ann),
  ).toMatchObject({ state: 'succeeded', refusal: null, report: { tables: expect.anything() } });
  const { rows } = await api.db.pool.query(
    `select followed_to, (select count(*)::int from keywords k join market_schedule s
        on s.market_id = k.market_id and s.depth = 200 where k.workspace_id = $1) as markets
     from imports where workspace_id = $1`,
    [ann.workspaceId],
  );
  expect(rows).toEqual([{ followed_to: null, markets: size.keywords }]);
});

test('importing the largest workspace takes no more locks than a server allows', async () => {
  const ids = Array.from({ length: 51_000 }, (_, index) => index + 1);
  const count = await inTenant(bob.ctx, async (tx) => {
    await lockListings(tx, ids);
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_locks
        where locktype = 'advisory' and pid = pg_backend_pid()`.execute(tx);
    return rows[0]!.count;
  });
  expect(count).toBe(4_096);
});
