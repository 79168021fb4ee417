import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { socketPort } from '#embedded-postgres/cluster.ts';
import { findServerLocation } from '#embedded-postgres/server-location.ts';
import { keepOrder } from '../harness/keep-order.ts';
import {
  findInconsistencies,
  startLoad,
  until,
  waitForOpenJobs,
} from '../harness/load-recorder.ts';
import { startToprung } from '../harness/process.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';
import {
  killPostgres,
  createDataDir,
  productEnvironment,
  removeDataDir,
  signUpAt,
  startProduct,
  type Product,
} from '../harness/product.ts';

keepOrder('the product that survives its first start is killed afterwards');

const scale = process.env.TORTURE
  ? { kills: 20, wholeKills: 20, bootKills: 20, promises: 40 }
  : { kills: 1, wholeKills: 1, bootKills: 2, promises: 12 };
/** A kill under load takes about ten seconds, with everything that is checked after it. */
const limitMs = (kills: number) => 120_000 + kills * 30_000;
const clients = 4;
const environment = { QUEUE_STALL_SECONDS: '1' };
let simulator: Simulator;
let dataDir: string;
let product: Product;

beforeAll(async () => {
  simulator = await startSimulator({
    compress: false,
    world: { resultsPerSearch: 60, androidMode: 'web30' },
  });
});
afterAll(() => simulator.close());

/** As PostgreSQL's own superuser, outside the product. */
async function withPool<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const { home } = await findServerLocation(dataDir);
  const pool = new pg.Pool({
    host: join(home, 'run'),
    port: socketPort,
    user: 'postgres',
    database: 'toprung',
    max: 2,
  });
  pool.on('error', () => undefined);
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

describe('the embedded PostgreSQL', () => {
  let token: string;
  let appIds: number[];

  test(`the product starts after ${scale.bootKills} kills during its first start`, async () => {
    dataDir = await createDataDir();
    const part = { name: 'kills during the first start', total: scale.bootKills };
    await trackProgress({ ...part, limitMs: limitMs(scale.bootKills) }, async ({ add }) => {
      for (let kills = 1; kills <= scale.bootKills; kills++) {
        const child = startToprung(['start'], productEnvironment(dataDir, simulator, environment));
        const aliveMs = 300 + (kills * 2_200) / scale.bootKills;
        await new Promise((resolve) => setTimeout(resolve, aliveMs));
        await child.kill('SIGKILL');
        // Half of the time PostgreSQL, or the creation of its cluster, outlives us.
        if (kills % 2 === 0) await killPostgres(dataDir);
        add();
      }
    });
    product = await startProduct({ dataDir, simulator, environment });
    const account = await signUpAt(product.apiUrl);
    expect((await account.client('GET /apps', {})).items).toEqual([]);
    const ios = await account.client('POST /apps', {
      body: { store: 'ios', storeAppId: '1500000001' },
    });
    const android = await account.client('POST /apps', {
      body: { store: 'android', storeAppId: 'app.lumen.habits' },
    });
    [token, appIds] = [account.token, [Number(ios.app.id), Number(android.app.id)]];
  }, 900_000);
  afterAll(async () => {
    await product?.stop();
    await removeDataDir(dataDir);
  });

  test(`${scale.kills} kills under load lose no commit, and it recovers within 10 s`, async () => {
    const load = startLoad({ clients, baseUrl: () => product.apiUrl, token, appIds });
    const healMs: number[] = [];
    const part = { name: 'kills of PostgreSQL', total: scale.kills };
    const bounds = { limitMs: limitMs(scale.kills), cleanUp: load.stop };
    await trackProgress({ ...part, ...bounds }, async ({ add }) => {
      for (let kills = 0; kills < scale.kills; kills++) {
        const before = load.recorded.jobs.length;
        await until(
          () => load.recorded.jobs.length >= before + scale.promises,
          60_000,
          'acknowledged work',
        );
        expect(await killPostgres(dataDir)).toBeGreaterThan(0);
        const killedAt = performance.now();
        const during = load.recorded.jobs.length;
        // More than the clients that may not yet know of a write before the kill.
        await until(
          () => load.recorded.jobs.length > during + clients,
          30_000,
          'acknowledged work after a kill',
        );
        healMs.push(performance.now() - killedAt);
        add();
      }
    });
    const record = await load.stop();
    reportFigures(9, {
      kills: scale.kills,
      'acknowledged jobs': record.jobs.length,
      refusals: JSON.stringify([...record.refusals]),
      'slowest response in ms': Math.round(record.slowestMs),
      'slowest recovery in ms': Math.round(Math.max(...healMs)),
    });
    const broken = await withPool(async (pool) => {
      await waitForOpenJobs(pool, 120_000);
      return findInconsistencies(pool, record);
    });
    expect(Object.entries(broken).filter(([, rows]) => rows.length > 0)).toEqual([]);
    expect(record.unexpected).toEqual([]);
    // The process survives: no connection of a client was ever cut.
    expect([...record.refusals.keys()].filter((status) => status !== 503)).toEqual([]);
    expect(record.slowestMs).toBeLessThan(15_000);
    expect(Math.max(...healMs)).toBeLessThan(30_000);
  }, 900_000);

  test(`${scale.wholeKills} kills of everything under load lose no commit`, async () => {
    const part = { name: 'kills of everything', total: scale.wholeKills };
    await trackProgress({ ...part, limitMs: limitMs(scale.wholeKills) }, async ({ add }) => {
      for (let kills = 0; kills < scale.wholeKills; kills++) {
        const load = startLoad({ clients, baseUrl: () => product.apiUrl, token, appIds });
        await until(() => load.recorded.jobs.length >= scale.promises, 60_000, 'acknowledged work');
        await Promise.all([product.child.kill('SIGKILL'), killPostgres(dataDir)]);
        const record = await load.stop();
        // The start itself returns to the queue what was running: nothing waits for a lock to end.
        const slow = { QUEUE_STALL_SECONDS: '600' };
        product = await startProduct({ dataDir, simulator, environment: slow });
        const broken = await withPool(async (pool) => {
          await waitForOpenJobs(pool, 60_000);
          return findInconsistencies(pool, record);
        });
        expect(Object.entries(broken).filter(([, rows]) => rows.length > 0)).toEqual([]);
        add();
      }
    });
  }, 900_000);
});
