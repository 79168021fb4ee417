import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { startFaultProxy, type FaultProxy, type NetworkFault } from '../harness/fault-proxy.ts';
import {
  expireLeases,
  findInconsistencies,
  startLoad,
  until,
  waitForOpenJobs,
} from '../harness/load-recorder.ts';
import { locatePostgres } from '../harness/locate-postgres.ts';
import { createDataDir, productEnvironment, removeDataDir, signUpAt } from '../harness/product.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';
import { redisProgram, startRedis, type TestRedis } from '../harness/redis.ts';
import { startRole, type RunningRole } from '../harness/start-role.ts';

const isLong = process.env.TORTURE !== undefined;
/**
 * A statement on a connection that falls silent is given up after 11 s, and a new connection after
 * 4 s.
 */
const scale = isLong
  ? { rounds: 2, faultMs: 20_000, clients: 4, promises: 40, slowestMs: 20_000 }
  : { rounds: 1, faultMs: 400, clients: 2, promises: 4, slowestMs: 12_000 };
const faults: NetworkFault[] = [
  { kind: 'silence' },
  { kind: 'half-open' },
  { kind: 'reset', afterBytes: isLong ? 100_000 : 2_000 },
  { kind: 'delay', ms: 500 },
];
if (redisProgram === undefined)
  console.info('redis-server is not installed: network faults are tested on PostgreSQL only');

let simulator: Simulator;
let db: TestDatabase;
let dataDir: string;
let redis: TestRedis | null;
const proxies = new Map<string, FaultProxy>();
const roles: RunningRole[] = [];

beforeAll(async () => {
  simulator = await startSimulator({
    compress: false,
    world: { resultsPerSearch: 60, androidMode: 'web30' },
  });
  db = await createTestDatabase();
  dataDir = await createDataDir();
  redis = await startRedis();
  const { url, at } = locatePostgres(db.url);
  proxies.set('PostgreSQL', await startFaultProxy(at));
  url.port = String(proxies.get('PostgreSQL')!.port);
  if (redis) {
    const port = Number(new URL(redis.url).port);
    proxies.set('Redis', await startFaultProxy({ host: '127.0.0.1', port }));
  }
  const environment = {
    ...productEnvironment(dataDir, simulator),
    DATABASE_URL: url.href,
    QUEUE_STALL_SECONDS: '1',
    LOG_LEVEL: 'fatal',
    ...(redis && { QUEUE_URL: `redis://127.0.0.1:${proxies.get('Redis')!.port}` }),
  };
  roles.push(await startRole('api', environment), await startRole('worker', environment));
});
afterAll(async () => {
  for (const proxy of proxies.values()) proxy.setFault(null);
  await Promise.all(roles.map((role) => role.stop()));
  await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
  await simulator.close();
  await redis?.stop();
  await db.drop();
  await removeDataDir(dataDir);
});

describe('a network that fails between the product and', () => {
  const servers = ['PostgreSQL', ...(redisProgram ? ['Redis'] : [])];

  test(`${servers.join(' or ')} holds no request for long, and loses nothing`, async () => {
    const [api] = roles as [RunningRole];
    const { token, client } = await signUpAt(api.url);
    const { app } = await client('POST /apps', {
      body: { store: 'ios', storeAppId: '1500000001' },
    });
    const appIds = [Number(app.id)];
    const load = startLoad({ clients: scale.clients, baseUrl: () => api.url, token, appIds });
    const { jobs } = load.recorded;
    const recoveryMs: number[] = [];
    const plan = Array.from({ length: scale.rounds }, () =>
      servers.flatMap((server, at) =>
        faults
          // In the short form each server has every other fault, and one server has all.
          .filter((_, index) => isLong || servers.length === 1 || (index + at) % 2 === 0)
          .map((fault) => ({ server, fault })),
      ),
    ).flat();
    const part = { name: 'network faults', total: plan.length, limitMs: 1_500_000 };
    await trackProgress({ ...part, cleanUp: load.stop }, async ({ add }) => {
      for (const { server, fault } of plan) {
        const proxy = proxies.get(server)!;
        const before = jobs.length;
        await until(() => jobs.length >= before + scale.promises, 60_000, 'acknowledged work');
        proxy.setFault(fault);
        await new Promise((resolve) => setTimeout(resolve, scale.faultMs));
        proxy.setFault(null);
        const healedMs = performance.now();
        const during = jobs.length;
        // More than the clients that may have been waiting for their response.
        await until(() => jobs.length > during + scale.clients, 30_000, `work after ${fault.kind}`);
        recoveryMs.push(performance.now() - healedMs);
        add();
      }
    });
    const record = load.recorded;
    reportFigures(15, {
      faults: plan.length,
      'seconds each': scale.faultMs / 1_000,
      'acknowledged jobs': record.jobs.length,
      refusals: JSON.stringify([...record.refusals]),
      'slowest response in ms': Math.round(record.slowestMs),
      'slowest recovery in ms': Math.round(Math.max(...recoveryMs)),
    });
    if (!isLong) await expireLeases(db.pool);
    await waitForOpenJobs(db.pool, 120_000, { hurries: !isLong });
    const broken = await findInconsistencies(db.pool, record);
    expect(Object.entries(broken).filter(([, rows]) => rows.length > 0)).toEqual([]);
    expect([...record.refusals.keys()].filter((status) => status !== 503)).toEqual([]);
    expect(record.slowestMs).toBeLessThan(scale.slowestMs);
  }, 1_800_000);
});
