import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { everyPace } from '#config/pace-settings.ts';
import { addDays, listDays } from '#lib/dates.ts';
import { createClient, type Client } from '#client/http.ts';
import { startApi, type TestApi } from '../harness/api.ts';
import { TestClock } from '#lib/clock.ts';
import { makePhrases } from '../harness/ground-truth.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';
import type { SoakFigures, SoakMessage } from './soak-process.ts';

/** Days before `warm` fill caches, pools and compiled code. */
const scale = process.env.TORTURE
  ? { days: 42, warm: 12, keywords: 60, clients: 4 }
  : { days: 3, warm: 2, keywords: 4, clients: 1 };
/** Positions, results and snapshots of a keyword and a day, with indexes and dead rows. */
const dataBytesPerKeywordDay = 20_000;
const firstDay = '2026-03-02';
const days = listDays(firstDay, addDays(firstDay, scale.days - 1));
const megabyte = 1024 ** 2;
const inMegabytes = (bytes: number) => (bytes / megabyte).toFixed(1);

let simulator: Simulator;
let here: TestApi;
let child: ChildProcess;
let call: Client;
/** Aborted when the child ends by itself. */
const ended = new AbortController();

beforeAll(async () => {
  simulator = await startSimulator({
    compress: false,
    now: new Date(`${firstDay}T00:00:00Z`),
    world: { apps: 400, resultsPerSearch: 60, androidMode: 'web30' },
  });
  // Prepares an account in the same database, and serves no request.
  here = await startApi({ clock: new TestClock(`${firstDay}T00:00:00Z`) });
  const environment = {
    PATH: process.env.PATH,
    TZ: 'UTC',
    LOG_LEVEL: 'error',
    AUTH_SECRET: 'a secret of the soak that is long enough for it',
    ENCRYPTION_KEY: 'a key of the soak that is long enough for it',
    STORE_BASE_URL: simulator.baseUrl,
    ...everyPace('1000000'),
  };
  child = fork(
    new URL('./soak-process.ts', import.meta.url),
    [`${firstDay}T00:30:00Z`, here.db.url],
    { env: environment, execArgv: ['--expose-gc'] },
  );
  child.once('exit', (code) => ended.abort(new Error(`the soak ended with ${code}`)));
  const { url } = (await nextMessage()) as { url: string };
  const { secret } = await here.token(await here.signUp());
  call = createClient({ baseUrl: url, token: secret });
  await trackKeywords();
});
afterAll(async () => {
  child.kill('SIGKILL');
  await here.close();
  await simulator.close();
});

async function nextMessage(): Promise<SoakMessage> {
  const [message] = await once(child, 'message', { signal: ended.signal });
  return message as SoakMessage;
}

async function workUntil(instant: string): Promise<SoakFigures> {
  simulator.setNow(new Date(instant));
  child.send(instant);
  return ((await nextMessage()) as { figures: SoakFigures }).figures;
}

async function trackKeywords(): Promise<void> {
  for (const storeApp of [
    { store: 'ios', storeAppId: '1500000001' },
    { store: 'android', storeAppId: 'app.lumen.habits' },
  ] as const) {
    const { app } = await call('POST /apps', { body: storeApp });
    const keywords = makePhrases(scale.keywords / 2);
    await call('POST /apps/{id}/keywords', { params: { id: app.id }, body: { keywords } });
  }
}

/** Reads and writes as fast as there are responses, until the returned function is called. */
function startRequests(): () => Promise<number> {
  let isOver = false;
  let count = 0;
  const loops = Array.from({ length: scale.clients }, async () => {
    while (!isOver) {
      const { items } = await call('GET /apps', {});
      const id = items[0]!.id;
      await call('GET /apps/{id}/keywords', { params: { id } });
      await call('GET /apps/{id}/rankings', { params: { id }, query: { limit: '500' } });
      await call('GET /actions', {});
      await call('GET /events', {});
      await call('PATCH /workspace', { body: { name: `Soak ${count}` } });
      count += 6;
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(loops);
    return count;
  };
}

const closing = { timeout: 60_000, interval: 1_000 };

interface DaySample extends SoakFigures {
  connections: number;
  dataBytes: number;
  walBytes: number;
}

async function readDatabase(): Promise<Omit<DaySample, keyof SoakFigures>> {
  const { rows } = await here.db.pool.query(
    `select (select count(*)::int from pg_stat_activity where datname = current_database())
      as connections, pg_database_size(current_database())::float8 as "dataBytes",
      (select sum(size)::float8 from pg_ls_waldir()) as "walBytes"`,
  );
  return rows[0];
}

/** The least squares slope of a day's figure over the days. */
function slopeOf(samples: readonly DaySample[], name: keyof DaySample): number {
  const middle = (samples.length - 1) / 2;
  const mean = samples.reduce((sum, sample) => sum + sample[name], 0) / samples.length;
  const products = samples.map((sample, day) => (day - middle) * (sample[name] - mean));
  const squares = samples.map((_, day) => (day - middle) ** 2);
  return products.reduce((a, b) => a + b, 0) / squares.reduce((a, b) => a + b, 0);
}

test(`${scale.days} days under load leave no memory, handle or connection behind`, async () => {
  const samples: DaySample[] = [];
  const stop = startRequests();
  const part = { name: 'virtual days of the soak', total: days.length, limitMs: 2_400_000 };
  await trackProgress(part, async ({ add }) => {
    for (const day of days) {
      for (const time of ['02:00', '02:05', '02:30', '04:00', '12:00'])
        await workUntil(`${day}T${time}:00Z`);
      samples.push({ ...(await workUntil(`${day}T23:00:00Z`)), ...(await readDatabase()) });
      add();
    }
  });
  const requests = await stop();
  const warm = samples.slice(scale.warm - 1);
  const [first, last] = [warm[0]!, warm.at(-1)!];
  const heapSlope = slopeOf(warm, 'heapBytes');
  reportFigures(20, {
    'virtual days': days.length,
    requests,
    'heap in MB': `${inMegabytes(first.heapBytes)} to ${inMegabytes(last.heapBytes)}`,
    'heap slope in kB a day': Math.round(heapSlope / 1_024),
    'resident MB': Math.round(last.rssBytes / megabyte),
    handles: `${first.handles} to ${last.handles}`,
    files: `${first.files} to ${last.files}`,
    connections: `${first.connections} to ${last.connections}`,
    'data in MB': `${inMegabytes(first.dataBytes)} to ${inMegabytes(last.dataBytes)}`,
    'write-ahead log in MB': Math.round(last.walBytes / megabyte),
  });
  const grown = warm.length - 1;
  expect(last.heapBytes - first.heapBytes).toBeLessThan(8 * megabyte + grown * 0.1 * megabyte);
  // Connections that only the load needed are closed after seconds; leaked ones stay.
  const quiet = () => workUntil(`${days.at(-1)}T23:30:00Z`);
  await expect
    .poll(async () => {
      const { handles, files } = await quiet();
      return Math.max(handles - first.handles, files - first.files);
    }, closing)
    .toBeLessThan(15);
  expect(last.connections).toBeLessThanOrEqual(60);
  expect(last.dataBytes - first.dataBytes).toBeLessThan(
    8 * megabyte + grown * scale.keywords * dataBytesPerKeywordDay,
  );
  const { rows } = await here.db.pool.query('select date::text, state from runs order by date');
  expect(rows).toEqual(days.map((date) => ({ date, state: 'finished' })));
}, 2_460_000);
