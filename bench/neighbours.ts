import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { createClient, type Client } from '#client/http.ts';
import { openDatabase } from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import { createToken } from '#domain/accounts/tokens/tokens.ts';
import { findServerLocation } from '#embedded-postgres/server-location.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { silentLogger } from '#lib/logger.ts';
import { readerOf, seedHistory } from '#tests/harness/history.ts';
import { startProduct } from '#tests/harness/product.ts';
import { startHostileTenant } from './hostile-tenant.ts';
import { percentile, type Measurement } from './measurement.ts';

const seconds = 20;
// Below the 900 reads a minute of the plan.
const pauseMs = 100;
const today = utcDayOf(new Date());
const hostile = { apps: 10, markets: 8_000, days: 90 };

interface Tenant {
  token: string;
  appIds: number[];
}

/**
 * The reads of one workspace, alone and beside another one that does everything its plan allows:
 * backtests, digests, matrices, exports and new keywords, 48 requests at a time.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  const product = await startProduct({
    environment: { BILLING_ENABLED: 'true', LOG_LEVEL: 'error', DAILY_RUN_AT: '23:59' },
  });
  const { home } = await findServerLocation(product.dataDir);
  const pool = openPool({
    url: `postgres://postgres@localhost/toprung?host=${home}/run`,
    role: 'owner',
    max: 4,
    statementTimeoutMs: 300_000,
    log: silentLogger,
  });
  try {
    const quiet = await createTenant(pool, { apps: 3, markets: 60, days: 30 });
    const loud = await createTenant(pool, hostile);
    await pool.query('vacuum analyze');
    const read = createClient({ baseUrl: product.apiUrl, token: quiet.token });
    await readFor(5, read, quiet);
    const alone = await readFor(seconds, read, quiet);
    const attack = startHostileTenant({
      ...loud,
      baseUrl: product.apiUrl,
      from: addDays(today, -89),
      to: today,
    });
    await sleep(3_000);
    const beside = await readFor(seconds, read, quiet);
    const requests = await attack.stop();
    const scale = 'target';
    const [before, after] = [percentile(alone, 0.5), percentile(beside, 0.5)];
    yield { name: 'a read, alone, p50', scale, measured: before, unit: 'ms', goal: null };
    yield {
      name: 'a read beside a hostile workspace, p50',
      scale,
      measured: after,
      unit: 'ms',
      goal: null,
    };
    yield {
      name: '  its ratio to a read alone',
      scale,
      measured: after / before,
      unit: '×',
      goal: 3,
    };
    yield {
      name: 'a read beside a hostile workspace, p99',
      scale,
      measured: percentile(beside, 0.99),
      unit: 'ms',
      goal: 250,
    };
    yield {
      name: '  responses to the hostile workspace meanwhile',
      scale,
      measured: requests / seconds,
      unit: '/s',
      goal: null,
    };
  } finally {
    await pool.end();
    await product.stop();
  }
}

/** Milliseconds of each read, sorted. */
async function readFor(forSeconds: number, call: Client, { appIds }: Tenant): Promise<number[]> {
  const taken: number[] = [];
  const endMs = performance.now() + forSeconds * 1_000;
  for (let round = 0; performance.now() < endMs; round++) {
    const id = appIds[round % appIds.length]!;
    const startMs = performance.now();
    if (round % 2 === 0) await call('GET /apps/{id}/keywords', { params: { id } });
    else await call('GET /rankings/latest', {});
    taken.push(performance.now() - startMs);
    await sleep(pauseMs);
  }
  return taken.toSorted((a, b) => a - b);
}

async function createTenant(
  pool: pg.Pool,
  plan: { apps: number; markets: number; days: number },
): Promise<Tenant> {
  const { rows } = await pool.query<{ workspace_id: number; user_id: number }>(
    `with w as (insert into workspaces (name, plan) values ('bench', 'ultimate') returning id),
       u as (insert into users (email, password_hash)
         values (gen_random_uuid() || '@example.org', '-') returning id)
     insert into memberships (workspace_id, user_id, role) select w.id, u.id, 'owner' from w, u
       returning workspace_id, user_id`,
  );
  const { workspace_id: workspaceId, user_id: userId } = rows[0]!;
  const { appIds } = await seedHistory(pool, { workspaceId, ...plan, lastDay: today });
  const db = openDatabase(pool);
  const reader = readerOf({ appDb: db, systemDb: db }, workspaceId, new Date().toISOString());
  const { secret } = await createToken(
    { ...reader, actor: { ...reader.actor, userId } },
    { name: 'bench', readOnly: false, expiresAt: undefined },
  );
  await pool.query(
    `insert into budgets (workspace_id, store, markets, requests, learned, listings,
       listing_requests) values ($1, 'ios', $2::int, $2::int, false, 1, 1)
     on conflict (workspace_id, store) do update set markets = excluded.markets`,
    [workspaceId, plan.markets],
  );
  return { token: secret, appIds };
}
