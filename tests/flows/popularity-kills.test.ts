import { createHash, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '#client/http.ts';
import { popularityPartBytes } from '#contract/body-limits.ts';
import { popularityGenres } from '#domain/base/ports.ts';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { makeTerms, registerAdsKey } from '../api/popularity-sync.fixtures.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { until } from '../harness/load-recorder.ts';
import { makeLines, makeRows, writeXlsx } from '../harness/popularity-file.ts';
import { lastMonth } from '../harness/popularity-import.ts';
import { startToprung, type Child } from '../harness/process.ts';
import { createDataDir, productEnvironment, removeDataDir, signUpAt } from '../harness/product.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';
import { startRole, type RunningRole } from '../harness/start-role.ts';

const isLong = process.env.TORTURE !== undefined;
const kills = isLong ? 40 : 2;
const killsOfVersion = isLong ? 4 : 1;
/** More than a page of Apple's API has. */
const weekTermsOfGenre = 350;
const fileTermsOfGenre = isLong ? 400 : 20;
const fileCountries = ['United States', 'Germany', 'Japan', 'Brazil'];
const tracked = isLong ? ['us', 'de'] : ['us'];
const month = lastMonth();

let db: TestDatabase;
let simulator: Simulator;
let dataDir: string;
let environment: Record<string, string>;
let api: RunningRole;
let client: Client;
let worker: Child | null = null;

beforeAll(async () => {
  [db, simulator, dataDir] = await Promise.all([
    createTestDatabase(),
    startSimulator({ compress: false, world: { apps: 10 } }),
    createDataDir(),
  ]);
  simulator.appleAds.requestsPerSecond = 1_000;
  environment = {
    ...productEnvironment(dataDir, simulator),
    DATABASE_URL: db.url,
    QUEUE_STALL_SECONDS: '1',
  };
  api = await startRole('api', environment);
  ({ client } = await signUpAt(api.url));
  const { app } = await client('POST /apps', { body: { store: 'ios', storeAppId: '1500000001' } });
  const keywords = tracked.map((country) => ({ phrase: 'games term 1', country }));
  await client('POST /apps/{id}/keywords', { params: { id: app.id }, body: { keywords } });
});
afterAll(async () => {
  await worker?.kill('SIGKILL');
  await api.stop();
  await simulator.close();
  await db.drop();
  await removeDataDir(dataDir);
});

interface Term {
  genre: string;
  rank: number;
  term: string;
  popularity: number;
}

/** The order is that of the rows: by genre and rank. */
function digest(terms: readonly Term[]): string {
  const lines = terms.map(({ genre, rank, term, popularity }) => [genre, rank, term, popularity]);
  return createHash('md5')
    .update(lines.map((line) => line.join(' ')).join('\n'))
    .digest('hex');
}

/** Versions share most terms, so that none is implausible, and each differs in every rank. */
const weekOf = (version: number) => makeTerms(weekTermsOfGenre, { shift: 7 * version });
const fileRows = (version: number) =>
  makeRows({ month, countries: fileCountries, perGenre: fileTermsOfGenre, shift: version });

function digestFile(version: number): string {
  const rows = [...fileRows(version)].filter(({ country }) => country === fileCountries[0]);
  const perGenre = rows.length / popularityGenres.length;
  return digest(
    rows.map(({ rank, term, popularity }, index) => ({
      genre: popularityGenres[Math.floor(index / perGenre)]!,
      rank: Number(rank),
      term,
      popularity: Number(popularity),
    })),
  );
}

/** What a version has in a week, and in the month of a country. */
const versions: { week: string; month: string }[] = [];

interface Visible {
  country: string;
  granularity: 'week' | 'month';
  period: string;
  digest: string;
}

/** The visible sets with a digest of their rows, by country and period. */
async function readVisible(): Promise<Visible[]> {
  const { rows } = await db.pool.query<Visible>(
    `select s.country, s.granularity, s.period::text,
       md5(string_agg(g.code || ' ' || p.rank || ' ' || p.term || ' ' || p.popularity, E'\\n'
         order by p.genre, p.rank)) as digest
     from popularity_sets s
     left join popularity p on p.set_id = s.id
     left join popularity_genres g on g.id = p.genre
     where s.state = 'active' group by s.id order by s.granularity, s.period, s.country`,
  );
  return rows;
}

const versionOf = ({ granularity, digest: found }: Visible): number =>
  versions.findIndex((version) => version[granularity] === found);

const seen = new Map<string, number>();

/** Each visible set is a version as a whole, none is older than before, and none has vanished. */
async function expectWhole(): Promise<void> {
  const visible = await readVisible();
  const found = new Map(
    visible.map((set) => [`${set.granularity} ${set.period} ${set.country}`, versionOf(set)]),
  );
  for (const [name, version] of found) expect([name, version >= 0]).toEqual([name, true]);
  for (const [name, version] of seen)
    expect([name, (found.get(name) ?? -1) >= version]).toEqual([name, true]);
  for (const [name, version] of found) seen.set(name, version);
  const ofMonth = visible.filter(({ granularity }) => granularity === 'month');
  // All countries of a file change in one moment.
  expect(new Set(ofMonth.map(versionOf)).size).toBeLessThanOrEqual(1);
  const { rows } = await db.pool.query(
    `select w.country, w.week from popularity_weeks w
     left join popularity_sets s on s.id = w.set_id and s.state = 'active' and s.terms = w.terms
     where w.outcome = 'synced' and s.id is null`,
  );
  expect(rows).toEqual([]);
}

/** A new version at the publisher and in a file: both are due. */
async function publish(version: number): Promise<void> {
  const terms = weekOf(version);
  versions.push({ week: digest(terms), month: digestFile(version) });
  simulator.appleAds.setTerms(() => terms);
  const file = writeXlsx(makeLines(fileRows(version), { month }));
  const parts = Math.ceil(file.length / popularityPartBytes);
  for (let part = 1; part <= parts; part += 1) {
    const piece = file.subarray((part - 1) * popularityPartBytes, part * popularityPartBytes);
    const body = { data: piece.toString('base64') };
    await client('PUT /popularity/imports/parts/{part}', { params: { part }, body });
  }
  await client('POST /popularity/imports', {
    body: { parts, fileName: `version ${version}.xlsx` },
  });
  if (version > 0) await client('POST /popularity/sync', {});
  else await client('PUT /popularity/credentials', { body: registerAdsKey(simulator) });
}

async function isComplete(version: number): Promise<boolean> {
  const { items } = await client('GET /popularity/imports', { query: { limit: 1 } });
  const { state, newestWeek } = await client('GET /popularity/sync', {});
  if (items[0]!.state !== 'succeeded' || state !== 'waiting') return false;
  const newest = (await readVisible()).filter(
    ({ granularity, period }) => granularity === 'month' || period === newestWeek,
  );
  return (
    newest.length === fileCountries.length + tracked.length &&
    newest.every((set) => versionOf(set) === version)
  );
}

const count = async (text: string) => Number((await db.pool.query(text)).rows[0].count);
/** Rows that nobody sees yet. */
const countHidden = () =>
  count(
    `select count(*) from popularity_sets s where s.state = 'staging'
       and exists (select from popularity p where p.set_id = s.id)`,
  );
const countWaiting = () =>
  count(
    `select count(*) from pg_locks l join pg_database d on d.oid = l.database
     where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
  );

const moments = { 'while rows were read': 0, 'before the sets changed': 0, 'at any moment': 0 };

/** Kills the worker while it reads, in the transaction that changes the sets, or at any moment. */
async function killAtMoment(index: number, version: number, lastingMs: number): Promise<void> {
  const kind = (['while rows were read', 'before the sets changed', 'at any moment'] as const)[
    index % 3
  ]!;
  const lock = await db.pool.connect();
  if (kind === 'before the sets changed')
    await lock.query(
      `begin; set local idle_in_transaction_session_timeout = 0;
       select pg_advisory_xact_lock(hashtext('popularity'))`,
    );
  try {
    worker ??= startToprung(['start', '--role', 'worker'], environment);
    if (kind === 'at any moment') await sleep(randomInt(lastingMs));
    else {
      const counted = kind === 'while rows were read' ? countHidden : countWaiting;
      const isReached = async () => (await counted()) > 0 || (await isComplete(version));
      await until(isReached, 90_000, 'the moment of the kill');
    }
    await worker.kill('SIGKILL');
    moments[kind] += 1;
  } finally {
    worker = null;
    lock.release(true);
  }
}

/** As if a minute had passed, after which another process may continue. */
const expireLeases = () =>
  db.pool.query(
    `update popularity_sync set leased_until = least(leased_until, now());
     update jobs set queued_until = least(queued_until, now())`,
  );

test(`${kills} kills during a sync and an import leave whole sets and lose none`, async () => {
  const part = { name: 'kills of published popularity', total: kills, limitMs: 900_000 };
  let [lastingMs, version] = [10_000, 0];
  await trackProgress(part, async ({ add }) => {
    for (let kill = 0; kill < kills; version += 1) {
      await publish(version);
      for (let n = 0; n < killsOfVersion && kill < kills; n += 1, kill += 1) {
        await killAtMoment(kill, version, lastingMs);
        await expectWhole();
        await expireLeases();
        add();
      }
      const begun = performance.now();
      worker = startToprung(['start', '--role', 'worker'], environment);
      await until(() => isComplete(version), 180_000, 'the sync and the import');
      lastingMs = Math.ceil(performance.now() - begun);
      await expectWhole();
      if (!isLong) continue;
      await worker.kill('SIGKILL');
      worker = null;
    }
  });
  // The short form's last worker has deleted the rows of replaced sets, or soon has.
  const hasOnlyVisible = async () =>
    (await count('select count(*) from popularity')) ===
      (await count(
        "select coalesce(sum(terms), 0) as count from popularity_sets where state = 'active'",
      )) && (await count("select count(*) from popularity_sets where state <> 'active'")) === 0;
  worker ??= startToprung(['start', '--role', 'worker'], environment);
  await client('POST /popularity/sync', {});
  await until(hasOnlyVisible, 90_000, 'the end of replaced rows').catch(async (error: Error) => {
    const { rows } = await db.pool.query(
      `select s.state, s.source, s.period::text, s.country, s.terms, s.created_at,
         (select count(*)::int from popularity p where p.set_id = s.id) as rows
       from popularity_sets s order by s.state, s.id`,
    );
    const sync = await client('GET /popularity/sync', {});
    throw new Error(`${error.message}: ${JSON.stringify([rows, sync, worker?.output()])}`);
  });
  await expectWhole();
  expect((await readVisible()).length).toBe(fileCountries.length + 4 * tracked.length);
  expect(await count('select count(*) from popularity_import_parts')).toBe(0);
  expect(await count('select count(*) from dead_letters')).toBe(0);
  reportFigures(33, {
    'kills of a sync and an import': kills,
    ...Object.fromEntries(
      Object.entries(moments).map(([name, times]) => [`of them ${name}`, times]),
    ),
    'sets compared': seen.size,
    versions: version,
  });
}, 960_000);
