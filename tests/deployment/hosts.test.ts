import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureDashboard } from '#boot/dashboard-build.ts';
import { createClient, type Client } from '#client/http.ts';
import { everyPace } from '#config/pace-settings.ts';
import { utcDayOf } from '#lib/dates.ts';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { compareWithGroundTruth, makePhrases } from '../harness/ground-truth.ts';
import { startHostBalancer, type HostBalancer } from '../harness/host-balancer.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { until } from '../harness/load-recorder.ts';
import {
  canMakeHosts,
  createNetwork,
  type Network,
  type NetworkHost,
} from '../harness/network-hosts.ts';
import { initializeDataDir } from '../harness/prepared-data-dir.ts';
import { startPostgresServer, type PostgresServer } from '../harness/postgres-server.ts';
import { startToprung, type Child } from '../harness/process.ts';
import { createDataDir, removeDataDir, signUpAt } from '../harness/product.ts';
import { reportFigures } from '../harness/progress.ts';
import { redisProgram, startRedis, type TestRedis } from '../harness/redis.ts';
import { draw } from '../harness/short-form.ts';

const canRun = canMakeHosts();
const queues = draw('queue of seven hosts', 1, ['PostgreSQL', ...(redisProgram ? ['Redis'] : [])]);
const roles = { api: /API: +http/, worker: /The worker is up/, web: /Toprung is up/ } as const;
const ports = { api: 4_000, web: 3_000 };
const setupToken = 'a-setup-token-of-this-test';
const clients = 4;

interface ProductHost extends NetworkHost {
  role: keyof typeof roles;
  dataDir: string;
  child: Child;
}

describe.runIf(canRun).each(queues)('seven hosts, with the queue in %s', (queue) => {
  keepOrder('hosts are cut off and restarted one after another');

  let network: Network;
  let simulator: Simulator;
  let postgres: PostgresServer;
  let redis: TestRedis | null = null;
  let apis: HostBalancer;
  let webs: HostBalancer;
  const hosts: ProductHost[] = [];
  let client: Client;
  let token: string;
  let appId: number;
  let phrases = 0;
  let pool: pg.Pool;
  const of = (role: keyof typeof roles) => hosts.filter((host) => host.role === role);

  const start = async (host: Omit<ProductHost, 'child'>): Promise<Child> => {
    const child = startToprung(
      ['start', '--role', host.role],
      {
        DATA_DIR: host.dataDir,
        DATABASE_URL: postgres.url('toprung'),
        ...(redis && { QUEUE_URL: redis.url }),
        AUTH_SECRET: 'a-secret-that-all-hosts-of-the-test-share',
        ENCRYPTION_KEY: 'a-key-of-32-characters-that-all-hosts-share',
        SETUP_TOKEN: setupToken,
        API_HOST: host.address,
        WEB_HOST: host.address,
        API_PORT: String(ports.api),
        WEB_PORT: String(ports.web),
        API_URL: apis.url,
        TRUST_PROXY: network.subnet,
        // There is no TLS in front of it.
        INSECURE_COOKIES: 'true',
        STORE_BASE_URL: simulator.baseUrl,
        QUEUE_STALL_SECONDS: '1',
        DAILY_RUN_AT: '00:00',
        ...everyPace('100000'),
        LOG_LEVEL: 'info',
      },
      undefined,
      host.prefix,
    );
    await child.waitFor(roles[host.role]);
    return child;
  };

  beforeAll(async () => {
    // The two processes that show it would both build it.
    await ensureDashboard(() => undefined);
    network = await createNetwork();
    const database = await network.addHost('db');
    simulator = await startSimulator({
      host: network.address,
      compress: false,
      world: { apps: 300, resultsPerSearch: 60 },
    });
    postgres = await startPostgresServer({
      host: database.address,
      prefix: database.prefix,
      trusts: network.subnet,
      fill: initializeDataDir,
      flags: { synchronous_commit: 'on' },
    });
    await postgres.query('create database toprung');
    pool = new pg.Pool({ connectionString: postgres.url('toprung'), max: 2 });
    if (queue === 'Redis')
      redis = await startRedis({ host: database.address, prefix: database.prefix });
    for (const role of ['api', 'api', 'worker', 'worker', 'web', 'web'] as const) {
      const host = await network.addHost(`${role}${of(role).length}`);
      hosts.push({ ...host, role, dataDir: await createDataDir() } as ProductHost);
    }
    const addressesOf = (role: 'api' | 'web') => of(role).map(({ address }) => address);
    apis = await startHostBalancer(network.address, addressesOf('api'), ports.api);
    webs = await startHostBalancer(network.address, addressesOf('web'), ports.web);
    // All at once: one of them migrates, and the others wait for it.
    await Promise.all(
      hosts.map(async (host) => {
        host.child = await start(host);
      }),
    );
    const url = `${webs.url}/api/backend`;
    await until(async () => (await fetch(url)).status < 500, 20_000, 'the API behind the web');
    ({ token } = await signUpAt(url, setupToken));
    client = createClient({ baseUrl: url, token });
    const { app } = await client('POST /apps', {
      body: { store: 'ios', storeAppId: '1500000001' },
    });
    appId = app.id;
  });
  afterAll(async () => {
    await Promise.all(hosts.map(({ child }) => child?.kill('SIGKILL')));
    await apis?.close();
    await webs?.close();
    await pool?.end();
    await redis?.stop();
    await postgres?.remove();
    await simulator?.close();
    await network?.remove();
    await Promise.all(hosts.map(({ dataDir }) => removeDataDir(dataDir)));
  });

  /** Accepted work; the client repeats a request that broke, with the same key. */
  const addKeywords = async (): Promise<number> => {
    const added = makePhrases(phrases + 20).slice(phrases);
    phrases += 20;
    const key = `keywords-${phrases}`;
    for (;;) {
      const response = await fetch(`${webs.url}/api/backend/apps/${appId}/keywords`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify({ phrases: added.map(({ phrase }) => phrase), countries: ['us'] }),
        signal: AbortSignal.timeout(20_000),
      }).catch(() => null);
      if (response === null || response.status >= 500) {
        await sleep(100);
        continue;
      }
      expect(response.status).toBe(201);
      return Number(((await response.json()) as { job: { id: number } }).job.id);
    }
  };
  const untilDone = (jobId: number) =>
    until(
      async () => {
        const job = await client('GET /jobs/{jobId}', { params: { jobId } }).catch(() => null);
        return job?.state === 'succeeded';
      },
      120_000,
      'the checks of a job',
    );

  /** A connection for each request, a quarter of which write. */
  const send = (number: number): Promise<number> => {
    const body = number % 4 === 0 ? JSON.stringify({ name: `Northlight ${number}` }) : '';
    const path = body ? '/workspace' : '/apps';
    return new Promise((resolve, reject) => {
      const sent = request(`${webs.url}/api/backend${path}`, {
        method: body ? 'PATCH' : 'GET',
        agent: false,
        timeout: 20_000,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
        },
      });
      sent.on('timeout', () => sent.destroy(new Error('no response in 20 s')));
      sent.on('error', reject);
      sent.on('response', (response) => {
        response.on('error', reject);
        response.on('end', () => resolve(response.statusCode!));
        response.resume();
      });
      sent.end(body);
    });
  };

  /** Requests go on during `work`; each is sent again until it has a response below 500. */
  const underLoad = async (work: (sent: () => number) => Promise<void>) => {
    const tally = { requests: 0, repeated: 0, failures: [] as string[], slowestMs: 0 };
    let isOver = false;
    const loops = Array.from({ length: clients }, async (_, index) => {
      for (let number = index; !isOver; number += clients) {
        const startedMs = performance.now();
        for (;;) {
          const status = await send(number).catch((error: Error) => error.message);
          if (status === 200) break;
          tally.failures.push(String(status));
          tally.repeated += 1;
          await sleep(50);
        }
        tally.requests += 1;
        tally.slowestMs = Math.max(tally.slowestMs, performance.now() - startedMs);
      }
    });
    try {
      await work(() => tally.requests);
    } finally {
      isOver = true;
      await Promise.all(loops);
    }
    return tally;
  };
  /** The balancer sends it requests, and it has responded to one that came directly. */
  const untilServing = (host: ProductHost) =>
    until(
      async () => {
        const balancer = host.role === 'api' ? apis : webs;
        const base = host.role === 'api' ? `:${ports.api}` : `:${ports.web}/api/backend`;
        const response = await fetch(`http://${host.address}${base}/apps`, {
          headers: { authorization: `Bearer ${token}` },
          signal: AbortSignal.timeout(5_000),
        }).catch(() => null);
        return response?.status === 200 && balancer.isUp(host.address);
      },
      60_000,
      'a response of the host',
    );
  const more = async (sent: () => number, count: number) => {
    const goal = sent() + count;
    await until(() => sent() >= goal, 60_000, 'requests');
  };

  test('do the work of one', async () => {
    await untilDone(await addKeywords());
    expect(await (await fetch(webs.url)).text()).toContain('<title>');
  });

  test('serve requests and lose no work while one of them is cut off and comes back', async () => {
    const jobs: number[] = [];
    const leader = of('worker').find(({ child }) => child.output().includes('elected as the'))!;
    const cut = [
      of('api')[0]!,
      leader,
      of('web')[0]!,
      of('worker').find((host) => host !== leader)!,
    ];
    const tally = await underLoad(async (sent) => {
      for (const host of cut) {
        jobs.push(await addKeywords());
        await host.cutOff();
        jobs.push(await addKeywords());
        await more(sent, 20);
        if (host === leader) {
          const other = of('worker').find((worker) => worker !== leader)!;
          await other.child.waitFor('elected as the');
        }
        await host.reconnect();
        if (host.role !== 'worker') await untilServing(host);
      }
      for (const job of jobs) await untilDone(job);
    });
    reportFigures(31, {
      queue,
      'hosts cut off': cut.length,
      requests: tally.requests,
      'sent again': tally.repeated,
      'slowest in ms': Math.round(tally.slowestMs),
    });
    // Requests that broke were sent again. None was refused as wrong.
    expect(tally.failures.filter((failure) => failure.startsWith('4'))).toEqual([]);
    // The client waits 20 s before it sends a request again; one that needed both took 30 s.
    expect(tally.slowestMs).toBeLessThan(45_000);
  });

  test('are restarted one after another without a failed request', async () => {
    const jobs: number[] = [];
    const tally = await underLoad(async (sent) => {
      for (const host of hosts) {
        await more(sent, 10);
        jobs.push(await addKeywords());
        const balancer = { api: apis, web: webs, worker: null }[host.role];
        balancer?.leaveOut(host.address);
        await host.child.kill('SIGTERM');
        expect(await host.child.exited).toEqual({ code: 0, signal: null });
        host.child = await start(host);
        if (host.role !== 'worker') await untilServing(host);
        balancer?.takeIn(host.address);
      }
      await more(sent, 10);
      for (const job of jobs) await untilDone(job);
    });
    reportFigures(31, {
      queue,
      'restarted processes': hosts.length,
      requests: tally.requests,
      failed: tally.failures.length,
      'slowest in ms': Math.round(tally.slowestMs),
    });
    expect(tally.failures).toEqual([]);
  });

  test('have stored true positions alone, one outcome for each keyword market', async () => {
    const { rows } = await pool.query(
      `select m.id as "marketId", m.store, m.phrase, m.country, m.device,
         l.store_app_id as "storeAppId"
       from keywords k join markets m on m.id = k.market_id
         join apps a on a.id = k.app_id join listings l on l.id = a.listing_id`,
    );
    expect(rows).toHaveLength(phrases);
    const verdict = await compareWithGroundTruth({ db: { pool }, simulator }, rows, [
      utcDayOf(new Date()),
    ]);
    reportFigures(31, { queue, positions: verdict.rows, wrong: verdict.wrong.length });
    expect(verdict).toMatchObject({
      rows: phrases,
      wrong: [],
      falseNotFound: [],
      withoutOutcome: [],
      withTwoOutcomes: [],
    });
  });
});
