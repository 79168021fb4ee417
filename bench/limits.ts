import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Guard } from '#counters/circuit-breaker.ts';
import { FallbackCounters } from '#counters/fallback-counters.ts';
import { MemoryCounters } from '#counters/memory.ts';
import { PostgresCounters } from '#counters/postgres.ts';
import { RedisCounters } from '#counters/redis.ts';
import { windowsOf } from '#api/limits/plan-limits.ts';
import type { RequestCounters } from '#domain/base/ports/request-counters.ts';
import { findServerLocation } from '#embedded-postgres/server-location.ts';
import { openDatabase } from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import { silentLogger } from '#lib/logger.ts';
import { planOf } from '#domain/base/plans/plans.ts';
import { createToken } from '#domain/accounts/tokens/tokens.ts';
import { utcDayOf } from '#lib/dates.ts';
import { seedHistory, readerOf } from '#tests/harness/history.ts';
import { startProduct } from '#tests/harness/product.ts';
import { pauseProcess } from '#tests/harness/pause-process.ts';
import { startRedis, type TestRedis } from '#tests/harness/redis.ts';
import { generateLoad, formatGetRequest } from './load-generator.ts';
import { openBenchDatabase } from './database.ts';
import { percentile, type Measurement } from './measurement.ts';
import { quietRounds } from './quiet-rounds.ts';

const takes = 500;
const connections = 32;
const rounds = 8;
const roundSeconds = 2;
/** A minute of this rate is within their plan. */
const workspaces = 600;

/** The cost of a plan's limits per request, and the reads per second with everything on. */
export async function* measure(): AsyncGenerator<Measurement> {
  yield* costs('in memory', new MemoryCounters(Date.now));
  const database = await openBenchDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  yield* costs('in PostgreSQL', new PostgresCounters(pool));
  await pool.end();
  await database.close();
  const redis = await startRedis();
  if (redis) {
    yield* costs('in Redis', new RedisCounters(redis.url, () => undefined));
    yield* silences(redis);
    await redis.stop();
  }
  yield* hotReads();
}

async function* costs(where: string, shared: RequestCounters): AsyncGenerator<Measurement> {
  const counters = guardedOf(shared);
  const plan = { ...planOf('ultimate'), writesPerMinute: 1_000_000, requestsPerDay: 1_000_000 };
  const windows = windowsOf(plan, { rateClass: 'write' });
  // The first request opens a connection.
  while (!(await shared.look({ workspaceId: 1, windows }).then(Boolean, () => false)))
    await new Promise(setImmediate);
  const takeOften = async () => {
    const taken: number[] = [];
    while (taken.length < takes) {
      const start = performance.now();
      const { lease } = await counters.take({ workspaceId: 1, windows, parallel: 48 });
      taken.push(performance.now() - start);
      if (lease) await counters.end(lease, []);
    }
    return taken;
  };
  await takeOften();
  const sorted = (await quietRounds(rounds, [takeOften])).flat(2).toSorted((a, b) => a - b);
  await counters.close();
  for (const [share, goal] of [
    [0.5, 1],
    [0.99, 5],
  ] as const) {
    yield {
      name: `the limiter’s cost of a request, ${where}, p${share * 100}`,
      scale: '–',
      measured: percentile(sorted, share),
      unit: 'ms',
      goal,
    };
  }
}

function guardedOf(shared: RequestCounters): FallbackCounters {
  const guard = new Guard({ waitMs: 50, warn: () => undefined });
  return new FallbackCounters({ shared, own: new MemoryCounters(Date.now), guard, processes: 1 });
}

const silentSeconds = 12;
const requestsPerSecond = 100;

/**
 * The added delay of requests while the counters' server is frozen or full: the open circuit
 * breaker skips it for most.
 */
async function* silences(redis: TestRedis): AsyncGenerator<Measurement> {
  const thaw = { hung: () => pauseProcess(redis.pid), full: () => () => undefined };
  for (const [how, begin] of Object.entries(thaw)) {
    const shared = new RedisCounters(redis.url, () => undefined);
    const counters = guardedOf(shared);
    const taking = {
      workspaceId: 1,
      windows: windowsOf(planOf('ultimate'), { rateClass: 'read' }),
      parallel: 48,
    };
    while (!(await shared.look(taking).then(Boolean, () => false))) await new Promise(setImmediate);
    // The first request also opens a connection, so it may wait longer.
    await counters.take(taking);
    if (how === 'full') await redis.setMemory('1mb');
    const end = begin();
    const waits: number[] = [];
    const asking: Promise<void>[] = [];
    for (let count = 0; count < silentSeconds * requestsPerSecond; count += 1) {
      const start = performance.now();
      asking.push(
        counters
          .take({ ...taking, workspaceId: count })
          .then(() => void waits.push(performance.now() - start)),
      );
      await sleep(1_000 / requestsPerSecond);
    }
    await Promise.all(asking);
    end();
    await redis.setMemory('192mb');
    await counters.close();
    yield {
      name: `the limiter’s cost of a request while Redis is ${how}, p99`,
      scale: '–',
      measured: percentile(
        waits.toSorted((a, b) => a - b),
        0.99,
      ),
      unit: 'ms',
      goal: 50,
    };
  }
}

/**
 * The whole product like `npm start`, with plans, over 32 connections; the load generator shares
 * the machine. Many workspaces alternate, since no plan allows so much to one.
 */
async function* hotReads(): AsyncGenerator<Measurement> {
  // No run meanwhile: its day begins in the last minute.
  const product = await startProduct({
    environment: { BILLING_ENABLED: 'true', LOG_LEVEL: 'warn', DAILY_RUN_AT: '23:59' },
  });
  const { home } = await findServerLocation(product.dataDir);
  const pool = openPool({
    url: `postgres://postgres@localhost/toprung?host=${home}/run`,
    role: 'owner',
    max: 4,
    statementTimeoutMs: 60_000,
    log: silentLogger,
  });
  try {
    const askers: LoadClient[] = [];
    while (askers.length < workspaces) askers.push(await createLoadClient(pool));
    await pool.query('vacuum analyze');
    const asked = Object.entries(hotPaths).map(([name, pathOf]) => ({
      name,
      requests: askers.map((asker) =>
        formatGetRequest(pathOf(asker), `authorization: Bearer ${asker.token}`),
      ),
    }));
    // A server that has been up for a while: its frequent code is compiled.
    for (const { requests } of asked)
      await generateLoad(product.apiUrl, connections, 2 * roundSeconds, requests);
    const counts = await quietRounds(
      rounds,
      asked.map(
        ({ requests }) =>
          () =>
            generateLoad(product.apiUrl, connections, roundSeconds, requests),
      ),
    );
    for (const [index, { name }] of asked.entries()) {
      const sorted = counts[index]!.toSorted((a, b) => a - b);
      yield {
        name: `${name}, metered, with a token`,
        scale: '–',
        measured: percentile(sorted, 0.5) / roundSeconds,
        unit: '/s',
        goal: 2_500,
        isLeast: true,
      };
    }
  } finally {
    await pool.end();
    await product.stop();
  }
}

interface LoadClient {
  token: string;
  appId: number;
}

const hotPaths: Record<string, (asker: LoadClient) => string> = {
  'GET /workspace': () => '/workspace',
  'GET /apps': () => '/apps',
  'GET /apps/{id}': ({ appId }) => `/apps/${appId}`,
  'GET /rankings/latest, 20 keywords': () => '/rankings/latest',
};

async function createLoadClient(pool: pg.Pool): Promise<LoadClient> {
  const { rows } = await pool.query(
    `with w as (insert into workspaces (name, plan) values ('bench', 'ultimate') returning id),
       u as (insert into users (email, password_hash)
         values (gen_random_uuid() || '@example.org', '-') returning id)
     insert into memberships (workspace_id, user_id, role) select w.id, u.id, 'owner' from w, u
       returning workspace_id, user_id`,
  );
  const { workspace_id: workspaceId, user_id: userId } = rows[0] as {
    workspace_id: number;
    user_id: number;
  };
  const past = await seedHistory(pool, {
    workspaceId,
    apps: 1,
    markets: 20,
    days: 2,
    lastDay: utcDayOf(new Date()),
  });
  const db = openDatabase(pool);
  const reader = readerOf({ appDb: db, systemDb: db }, workspaceId, new Date().toISOString());
  const { secret } = await createToken(
    { ...reader, actor: { ...reader.actor, userId } },
    { name: 'bench', readOnly: false, expiresAt: undefined },
  );
  return { token: secret, appId: past.appIds[0]! };
}
