import { sql } from 'kysely';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { storedParts } from './job-parts.ts';
import type { StoreJobKind } from './jobs.ts';

const isOpen = sql`(state in ('queued', 'running') or awaited_until is not null)`;

/**
 * Checked with every tick, because planning the next statement takes longer than the rest of a tick
 * without work.
 */
async function hasOpenJobs(db: Db, kinds: readonly StoreJobKind[]): Promise<boolean> {
  const { rows } = await sql<Row<'has-open-jobs'>>`/* has-open-jobs */
    select exists (select from jobs where state in ('queued', 'running') and kind = any(${kinds}))
      or exists (select from jobs where awaited_until is not null) as has`.execute(db);
  return rows[0]!.has;
}

const jobsAtOnce = 500;

const openJob = {
  workspaceId: sql`open.workspace_id`,
  appId: sql`open.app_id`,
  payload: sql`open.payload`,
};

export interface JobSync {
  kinds: readonly StoreJobKind[];
  now: Date;
  /** A store whose probe failed is probed again after this. */
  probeRetryMs: number;
  /** Jobs with a higher id are updated; 0 starts with the first. */
  afterId?: bigint;
}

/**
 * Updates open jobs of these kinds from the outcomes of their parts, lowest id first. Returns the
 * id to continue after; 0 starts from the first again. A job ends when no part is being worked on.
 * With parts that are tried again within a minute it goes on. When all are tried later and none is
 * done it is queued again, and otherwise it ends and still reports their outcomes.
 */
export async function syncJobStatus(
  db: Db,
  { kinds, now, probeRetryMs, afterId = 0n }: JobSync,
): Promise<bigint> {
  if (!(await hasOpenJobs(db, kinds))) return 0n;
  const { rows } = await sql<
    Row<'sync-job-status', { lastId: bigint }, 'lastId'>
  >`/* sync-job-status */
    with open as (
      select id, workspace_id, app_id, payload from jobs
      where ${isOpen} and kind = any(${kinds}) and id > ${afterId}
      order by id limit ${jobsAtOnce}
    ), counted as (
      select open.id, c.*,
        c.pending > 0 or coalesce(c.until <= ${now}::timestamptz + interval '1 minute', false)
          as continues
      from open cross join lateral ${storedParts(openJob, { now, probeRetryMs })} c
    ), synced as (
      update jobs j set
        parts = c.parts, total = c.total, done = c.done + c.missing,
        awaited_until = case when not c.continues or j.state = 'succeeded' then
          case when c.pending + c.awaited > 0 and (c.done > 0 or j.state = 'succeeded')
            then coalesce(c.until, ${now}) end end,
        state = case when j.state = 'succeeded' then j.state
          when c.continues then case when c.done + c.missing > j.done then 'running'
            else j.state end
          when c.done = 0 and c.awaited > 0 then 'queued'
          when c.done = 0 and c.missing > 0 then 'failed' else 'succeeded' end,
        started_at = case when c.done + c.missing > j.done or c.pending + c.awaited = 0
          then coalesce(j.started_at, ${now}) else j.started_at end,
        finished_at = case when j.state = 'succeeded' then j.finished_at
          when not c.continues and (c.done > 0 or c.awaited = 0) then ${now}::timestamptz end,
        error = case when (not c.continues or j.state = 'succeeded') and c.missing > 0
          then c.missing || ' of ' || c.total ||
          ' checks got no usable response from the store; parts has the reasons' end
      from counted c where j.id = c.id
        and (j.state in ('queued', 'running') or j.awaited_until is not null)
        and (j.parts <> c.parts or j.state <> 'succeeded' and not c.continues
          and (j.state = 'running' or c.done > 0 or c.awaited = 0))
    )
    select case when count(*) = ${jobsAtOnce} then max(id) else 0 end as "lastId"
    from open`.execute(db);
  return rows[0]!.lastId;
}
