import type pg from 'pg';
import { ApiError, createClient, type Client } from '#client/http.ts';

/** The jobs and keywords that the API acknowledged, and its refusals. */
export interface LoadRecord {
  jobs: number[];
  keywords: number[];
  /** Statuses of refusals; 0 for a connection that was refused or broke. */
  refusals: Map<number, number>;
  slowestMs: number;
  /** Refusals that no kill explains. */
  unexpected: string[];
}

export interface Load {
  recorded: LoadRecord;
  stop(): Promise<LoadRecord>;
}

/** Counted across loads, so that no two add the same phrase. */
let nextNumber = 0;

/**
 * Clients that add keywords and request runs as fast as they get responses, at the API's current
 * address, and record what was acknowledged: a response that was read to its end.
 */
export function startLoad(options: {
  clients: number;
  baseUrl: () => string;
  token: string;
  appIds: number[];
}): Load {
  const record: LoadRecord = {
    jobs: [],
    keywords: [],
    refusals: new Map(),
    slowestMs: 0,
    unexpected: [],
  };
  let isOver = false;
  const loops = Array.from({ length: options.clients }, async () => {
    while (!isOver) {
      const mine = nextNumber++;
      const call = createClient({ baseUrl: options.baseUrl(), token: options.token });
      const start = performance.now();
      try {
        await ask(call, options.appIds[mine % options.appIds.length]!, mine, record);
      } catch (error) {
        await recordFailure(record, error);
      }
      record.slowestMs = Math.max(record.slowestMs, performance.now() - start);
    }
  });
  return {
    recorded: record,
    stop: async () => {
      isOver = true;
      await Promise.all(loops);
      return record;
    },
  };
}

async function ask(call: Client, appId: number, number: number, record: LoadRecord): Promise<void> {
  if (number % 5 === 4) {
    const { job } = await call('POST /apps/{id}/run-daily', { params: { id: appId } });
    record.jobs.push(Number(job.id));
    return;
  }
  const keywords = ['us', 'de'].map((country) => ({ phrase: `promise ${number}`, country }));
  const { added, job } = await call('POST /apps/{id}/keywords', {
    params: { id: appId },
    body: { keywords },
  });
  if (job) record.jobs.push(Number(job.id));
  record.keywords.push(...added.map((keyword) => Number(keyword.id)));
}

async function recordFailure(record: LoadRecord, error: unknown): Promise<void> {
  const status = error instanceof ApiError ? error.status : 0;
  record.refusals.set(status, (record.refusals.get(status) ?? 0) + 1);
  if (status !== 0 && status < 500)
    record.unexpected.push(`${status}: ${(error as Error).message}`);
  await new Promise((resolve) => setTimeout(resolve, 50));
}

/**
 * Errors in the tables after everything is idle; empty when every acknowledged request was
 * completed and nothing is half written.
 */
export async function findInconsistencies(
  pool: pg.Pool,
  record: LoadRecord,
): Promise<Record<string, unknown[]>> {
  const list = async (text: string, values: unknown[] = []) =>
    (await pool.query(text, values)).rows;
  return {
    jobsLost: await list(
      'select id from unnest($1::bigint[]) id where not exists (select from jobs j where ' +
        'j.id = id)',
      [record.jobs],
    ),
    jobsNotDone: await list(
      "select id, kind, state, error from jobs where state <> 'succeeded' and id = any($1)",
      [record.jobs],
    ),
    jobsOpen: await list("select id, kind, state from jobs where state in ('queued', 'running')"),
    keywordsLost: await list(
      'select id from unnest($1::int[]) id where not exists (select from keywords k where ' +
        'k.id = id)',
      [record.keywords],
    ),
    keywordsUnchecked: await list('select id from keywords where latest_on is null'),
    keywordsWithoutSchedule: await list(
      'select k.id from keywords k left join market_schedule s on s.market_id = k.market_id ' +
        'where coalesce(s.depth, 0) < k.depth',
    ),
    keywordsWithoutJob: await list(
      'select k.id from keywords k where not exists (select from jobs j where j.kind = ' +
        `'first-check' and j.payload->'marketIds' @> to_jsonb(k.market_id))`,
    ),
    jobsWithoutKeywords: await list(`
      select j.id from jobs j where j.kind = 'first-check' and exists (
        select from jsonb_array_elements_text(j.payload->'marketIds') m
          where not exists (select from keywords k where k.market_id = m::int))`),
    budgetsWrong: await list(`
      select b.workspace_id, b.store, b.markets from budgets b
      where b.markets <> (select count(distinct k.market_id) from keywords k
        join markets m on m.id = k.market_id where k.workspace_id = b.workspace_id
        and m.store = b.store)`),
  };
}

/**
 * Throws the open jobs and what their work waits for. With `hurries`, checks that failed are due
 * again at once.
 */
export async function waitForOpenJobs(
  pool: pg.Pool,
  timeoutMs: number,
  { hurries = false } = {},
): Promise<void> {
  const listOpen = async () =>
    (
      await pool.query(`select id, kind, state, done, total, payload from jobs
        where state in ('queued', 'running') order by id limit 5`)
    ).rows;
  try {
    const areDone = async () => {
      if (hurries) await hurryRetries(pool);
      return (await listOpen()).length === 0;
    };
    await until(areDone, timeoutMs, 'open jobs');
  } catch (error) {
    const waiting = {
      jobs: await listOpen(),
      markets: (await pool.query('select * from market_schedule where urgent_at is not null')).rows,
      listings: (
        await pool.query(
          'select * from listing_schedule where urgent_at is not null or completed_on is null',
        )
      ).rows,
      tasks: (await pool.query('select * from store_tasks where urgent_at is not null')).rows,
      probes: (await pool.query('select * from store_probes')).rows,
      queued: (await pool.query('select state, count(*)::int from bullmq.job group by 1')).rows,
    };
    throw new Error(`${(error as Error).message}: ${JSON.stringify(waiting)}`, { cause: error });
  }
}

/** Work that a queue has lost is enqueued again by the next tick, and not after its lease. */
export async function expireLeases(pool: pg.Pool): Promise<void> {
  for (const table of ['market_schedule', 'listing_schedule', 'store_tasks', 'jobs'])
    await pool.query(`update ${table} set queued_until = now() where queued_until > now()`);
}

/** Checks that wait for their next attempt are due at once. */
export async function hurryRetries(pool: pg.Pool): Promise<void> {
  await pool.query('update market_schedule set retry_at = now() where retry_at > now()');
}

export async function until(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  what: string,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited ${timeoutMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
