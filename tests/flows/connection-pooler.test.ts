import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '#client/http.ts';
import { openPool } from '#db/pool.ts';
import { keepsSessions } from '#db/require-session-mode.ts';
import { silentLogger } from '#lib/logger.ts';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { until } from '../harness/load-recorder.ts';
import { hasPgBouncer, startPgBouncer, type TestPgBouncer } from '../harness/pgbouncer.ts';
import { startToprung, type Child } from '../harness/process.ts';
import { createDataDir, productEnvironment, removeDataDir, signUpAt } from '../harness/product.ts';

const isPresent = hasPgBouncer();
let db: TestDatabase;
let simulator: Simulator;
let dataDir: string;
const poolers: TestPgBouncer[] = [];
const children: Child[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  simulator = await startSimulator({ compress: false });
  dataDir = await createDataDir();
});
afterAll(async () => {
  await Promise.all(children.map((child) => child.kill('SIGKILL')));
  await Promise.all(poolers.map((pooler) => pooler.stop()));
  await simulator.close();
  await db.drop();
  await removeDataDir(dataDir);
});

async function pool(...options: Parameters<typeof startPgBouncer>): Promise<TestPgBouncer> {
  const pooler = await startPgBouncer(...options);
  poolers.push(pooler);
  return pooler;
}

function start(role: string, databaseUrl: string): Child {
  const environment = {
    ...productEnvironment(dataDir, simulator),
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'info',
  };
  const child = startToprung(['start', '--role', role], environment);
  children.push(child);
  return child;
}

async function startApi(databaseUrl: string): Promise<string> {
  const child = start('api', databaseUrl);
  await child.waitFor(/ API: +http\S+/);
  return / API: +(http\S+)/.exec(child.output())![1]!;
}

async function startWorker(databaseUrl: string): Promise<Child> {
  const child = start('worker', databaseUrl);
  await child.waitFor('The worker is up');
  return child;
}

const elected = 'elected as the leader of the schedulers';

async function checkKeywords(client: Client, appId: number, phrases: string[]): Promise<void> {
  const body = { phrases, countries: ['us'] };
  const { job } = await client('POST /apps/{id}/keywords', { params: { id: appId }, body });
  const readState = async () =>
    (await client('GET /jobs/{jobId}', { params: { jobId: Number(job!.id) } })).state;
  await until(async () => (await readState()) === 'succeeded', 60_000, 'the checks');
}

test.runIf(isPresent)(
  'the product works behind PgBouncer in session mode, with roles, queue and election',
  async () => {
    const { url } = await pool(db.url, 'session');
    const { client } = await signUpAt(await startApi(url));
    const first = await startWorker(url);
    await first.waitFor(elected);
    const second = await startWorker(url);
    const { app } = await client('POST /apps', {
      body: { store: 'ios', storeAppId: '1500000001' },
    });
    await checkKeywords(client, app.id, ['habit tracker', 'journal']);

    // The pooler keeps the connections of a killed process, and still ends their locks and roles.
    await first.kill('SIGKILL');
    await second.waitFor(elected);
    await checkKeywords(client, app.id, ['mood', 'word of nobody']);

    const { rows } = await db.pool.query<{ phrase: string }>(
      `select phrase from markets join market_schedule s on s.market_id = markets.id
       where s.completed_on is not null order by phrase`,
    );
    expect(rows.map(({ phrase }) => phrase)).toEqual([
      'habit tracker',
      'journal',
      'mood',
      'word of nobody',
    ]);
  },
);

test.runIf(isPresent)('a session that is used again has the role of its new user', async () => {
  const { url } = await pool(db.url, 'session', {
    default_pool_size: '1',
    // Nothing of the last user is undone.
    server_reset_query: '',
  });
  const read = async (role: 'app' | 'system' | 'owner') => {
    const one = openPool({ url, role, max: 1, statementTimeoutMs: 5_000, log: silentLogger });
    const { rows } = await one.query<{ role: string; pid: number }>(
      'select current_user::text as role, pg_backend_pid() as pid',
    );
    await one.end();
    return rows[0]!;
  };
  const users = [await read('system'), await read('app'), await read('owner')];
  expect(new Set(users.map(({ pid }) => pid)).size).toBe(1);
  expect(users.map(({ role }) => role)).toEqual(['toprung_system', 'toprung_app', 'postgres']);
});

test.runIf(isPresent).each(['transaction', 'statement'] as const)(
  'a start behind PgBouncer in %s mode is refused with the remedy',
  async (mode) => {
    const { url } = await pool(db.url, mode);
    const child = start('api', url);
    expect(await child.exited).toEqual({ code: 78, signal: null });
    expect(child.output()).toContain('pool_mode = session');
  },
);

test.runIf(isPresent)('transaction mode is recognized while others use the pooler', async () => {
  const { url } = await pool(db.url, 'transaction', { server_round_robin: '1' });
  const others = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    }),
  );
  let isOver = false;
  const work = others.map(async (client) => {
    while (!isOver) await client.query('begin; select pg_sleep(0.002); commit');
  });
  try {
    for (let attempt = 0; attempt < 100; attempt += 1) expect(await keepsSessions(url)).toBe(false);
  } finally {
    isOver = true;
    await Promise.all(work);
    await Promise.all(others.map((client) => client.end()));
  }
});
