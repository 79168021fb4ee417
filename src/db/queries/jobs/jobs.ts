import { sql } from 'kysely';
import type { JobKind } from '#contract/choices.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** Jobs that planned store work completes. */
export type StoreJobKind = Extract<
  JobKind,
  'first-check' | 'run-daily' | 'app-refresh' | 'review-sync' | 'score'
>;
/** Background jobs: a worker runs them without a store. */
export type BackgroundJobKind = Exclude<JobKind, StoreJobKind>;

export type { JobKind };

export interface NewJob {
  workspaceId: number;
  appId: number | null;
  kind: JobKind;
  dedupeKey: string | null;
  payload: object;
  total: number;
  queuedAt: Date;
}

/** Inserts a job, or returns the open one with the same dedupe key. */
export async function insertJob(
  tx: Tx,
  job: NewJob,
): Promise<{ id: bigint; state: string; queuedAt: Date; deduped: boolean }> {
  const inserted = await sql<Row<'insert-job'>>`
    insert into jobs (workspace_id, app_id, kind, dedupe_key, payload, total, queued_at)
    values (${job.workspaceId}, ${job.appId}, ${job.kind}, ${job.dedupeKey},
      ${JSON.stringify(job.payload)}, ${job.total}, ${job.queuedAt})
    on conflict (workspace_id, dedupe_key) where dedupe_key is not null
      and state in ('queued', 'running') do nothing
    returning id, state, queued_at`.execute(tx);
  const row = inserted.rows[0];
  if (row) return { id: row.id, state: row.state, queuedAt: row.queued_at, deduped: false };
  const open = await tx
    .selectFrom('jobs')
    .select(['id', 'state', 'queued_at'])
    .where('workspace_id', '=', job.workspaceId)
    .where('dedupe_key', '=', job.dedupeKey)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow();
  return { id: open.id, state: open.state, queuedAt: open.queued_at, deduped: true };
}

/**
 * Marks markets that have no outcome of the day as urgent, and returns how many. `includeCompleted`
 * adds completed ones, for keywords that are new to a market: their position comes from the day's
 * results or from another search.
 */
export async function markMarketsUrgent(
  tx: Tx,
  marketIds: number[],
  { day, now, includeCompleted = false }: { day: string; now: Date; includeCompleted?: boolean },
): Promise<number> {
  const { rows } = await sql`
    with due as (
      select market_id from market_schedule
      where market_id = any(${marketIds}) and depth > 0
        and (${includeCompleted}::boolean or completed_on is null or completed_on < ${day})
      order by market_id for update
    )
    update market_schedule s set urgent_at = coalesce(s.urgent_at, ${now}), retry_at = null
    from due where s.market_id = due.market_id
    returning s.market_id`.execute(tx);
  return rows.length;
}

export async function markListingsUrgent(
  tx: Tx,
  listingId: number,
  day: string,
  now: Date,
): Promise<number> {
  const { rows } = await sql`
    update listing_schedule set urgent_at = coalesce(urgent_at, ${now}), retry_at = null
    where listing_id = ${listingId} and active and (completed_on is null or completed_on < ${day})
    returning country`.execute(tx);
  return rows.length;
}

export async function markStoreTasksUrgent(
  tx: Tx,
  storeTaskIds: number[],
  { day, now }: { day: string; now: Date },
): Promise<number> {
  const { rows } = await sql`
    with due as (
      select id from store_tasks where id = any(${storeTaskIds}) and active
        and (completed_on is null or completed_on < ${day}) order by id for update
    )
    update store_tasks c set urgent_at = coalesce(c.urgent_at, ${now}), retry_at = null from due
      where c.id = due.id
    returning c.id`.execute(tx);
  return rows.length;
}
