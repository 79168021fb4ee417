import { sql } from 'kysely';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { BackgroundJobKind } from './jobs.ts';

/**
 * No lease and no pause before a retry is longer. One that ends later was written by a clock that
 * was ahead, and has ended.
 */
export const longestPauseMs = 16 * 3_600_000;

/** The last instant at which a lease or a pause may end. */
export const lastPauseEnd = (now: Date): Date => new Date(now.getTime() + longestPauseMs);

/** Kinds of background jobs by the status in which a workspace may run them. Other jobs wait. */
export interface JobKindsByWorkspace {
  /** In workspaces that accept changes. */
  active: readonly BackgroundJobKind[];
  /** Also where the plan has ended. */
  activeOrLapsed: readonly BackgroundJobKind[];
  /** Also while the workspace is suspended. */
  any: readonly BackgroundJobKind[];
}

/** True when a job `j` may run in its workspace `w` now. */
const mayRun = ({ active, activeOrLapsed, any }: JobKindsByWorkspace) =>
  sql`(j.kind = any(${any}) or (w.state <> 'suspended' and (j.kind = any(${activeOrLapsed})
        or (j.kind = any(${active}) and not w.daily_run_paused))))`;

/**
 * True for a job `j` that runs or will: its file is kept until then. A failed one may be retried,
 * and one that crashed its worker is retried daily, if it was requested after an instant.
 */
export const mayRunAgain = (requestedAfter: Date) =>
  sql`(j.state in ('queued', 'running')
    or (j.state = 'failed' and j.queued_at > ${requestedAfter}))`;

export interface TakenJob {
  id: number;
  /** Its number among the open jobs of its workspace that are leased. */
  round: number;
}

/**
 * Leases background jobs that no worker has and that the workspace's status allows, round-robin
 * over the workspaces: the jobs of one do not delay those of another. Of a workspace the oldest
 * come first, after those that are leased already and those that have started. With
 * `maxOfWorkspace` no workspace has more leased jobs of these kinds.
 */
export async function takeBackgroundJobs(
  db: Db,
  input: {
    now: Date;
    until: Date;
    limit: number;
    kinds: JobKindsByWorkspace;
    maxOfWorkspace?: number | undefined;
  },
): Promise<TakenJob[]> {
  const { active, activeOrLapsed, any } = input.kinds;
  const isLeased = sql`
    (queued_until > ${input.now} and queued_until <= ${lastPauseEnd(input.now)})`;
  const isDue = sql`j.state in ('queued', 'running') and ${isLeased} is not true`;
  const { rows } = await sql<Row<'take-background-jobs', TakenJob>>`/* take-background-jobs */
    with leased as (
      select workspace_id, count(*) as jobs from jobs
      where state in ('queued', 'running') and ${isLeased}
        and kind = any(${[...active, ...activeOrLapsed, ...any]})
      group by workspace_id
    ), due as (
      select j.id, coalesce(l.jobs, 0)
        + row_number() over (partition by j.workspace_id order by j.state = 'queued', j.id)
        as round
      from jobs j join workspaces w on w.id = j.workspace_id
      left join leased l on l.workspace_id = j.workspace_id
      where ${isDue} and ${mayRun(input.kinds)}
    ), next as (
      select j.id, due.round from due join jobs j on j.id = due.id and ${isDue}
      where (due.round <= ${input.maxOfWorkspace ?? null}::int) is not false
      order by due.round, j.id limit ${input.limit} for update of j skip locked
    )
    update jobs j set queued_until = ${input.until} from next
    where j.id = next.id returning j.id::float8 as id, next.round::int as round`.execute(db);
  return rows.toSorted((a, b) => a.round - b.round || a.id - b.id);
}

export async function releaseBackgroundJobs(db: Db, ids: number[]): Promise<void> {
  await sql`update jobs set queued_until = null where id = any(${ids}::bigint[])`.execute(db);
}

export interface BackgroundJobRow {
  id: number;
  workspaceId: number;
  appId: number | null;
  kind: BackgroundJobKind;
  payload: unknown;
  /** Attempts that ended. One that its process did not survive, or that it stopped, is none. */
  attempts: number;
}

/** Undefined when the job has ended in the meantime, or has to wait. */
export async function startBackgroundJob(
  db: Db,
  { id, now, kinds }: { id: number; now: Date; kinds: JobKindsByWorkspace },
): Promise<BackgroundJobRow | undefined> {
  const { rows } = await sql<Row<'start-background-job', BackgroundJobRow, 'kind'>>`
    update jobs j set state = 'running', started_at = coalesce(j.started_at, ${now})
    from workspaces w
    where j.id = ${id} and j.state in ('queued', 'running') and w.id = j.workspace_id
      and ${mayRun(kinds)}
    returning j.id::float8 as id, j.workspace_id as "workspaceId", j.app_id as "appId", j.kind,
      j.payload, j.attempts`.execute(db);
  return rows[0];
}

/** False when it was cancelled in the meantime. */
export async function isBackgroundJobOpen(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql<Row<'is-background-job-open'>>`/* is-background-job-open */
    select from jobs where id = ${id} and state in ('queued', 'running')`.execute(db);
  return rows.length > 0;
}

/** Counts a failed attempt. The job is not started again before `until`. */
export async function rescheduleBackgroundJob(
  db: Db,
  id: number,
  { until, state }: { until: Date; state: 'queued' | 'running' },
): Promise<void> {
  await sql`
    update jobs set state = ${state}, attempts = attempts + 1, queued_until = ${until}
      where id = ${id} and state in ('queued', 'running')`.execute(db);
}

/** A job that did a part of its work goes on later, behind others. None of its attempts failed. */
export async function continueBackgroundJob(db: Db, id: number, until: Date): Promise<void> {
  await sql`
    update jobs set attempts = 0, queued_until = ${until}
      where id = ${id} and state in ('queued', 'running')`.execute(db);
}

export async function completeBackgroundJob(
  db: Db,
  id: number,
  end: { state: 'succeeded' | 'failed'; error: string | null; result: object | null; now: Date },
): Promise<void> {
  await sql`
    update jobs set state = ${end.state}, attempts = attempts + 1, error = ${end.error},
      result = ${end.result === null ? null : JSON.stringify(end.result)}::jsonb,
      done = case when ${end.state} = 'succeeded' then total else done end,
      finished_at = ${end.now}, queued_until = null
    where id = ${id} and state in ('queued', 'running')`.execute(db);
}

type EndedJobRow = Pick<BackgroundJobRow, 'id' | 'workspaceId' | 'kind'>;

/**
 * Fails a job whose worker crashes with it, and remembers when. Undefined when it had ended.
 */
export async function failCrashedJobRow(
  db: Db,
  id: number,
  { error, now }: { error: string; now: Date },
): Promise<EndedJobRow | undefined> {
  const { rows } = await sql<Row<'fail-crashed-job', EndedJobRow, 'kind'>>`/* fail-crashed-job */
    update jobs set state = 'failed', error = ${error}, finished_at = ${now}, crashed_at = ${now},
      queued_until = null
    where id = ${id} and state in ('queued', 'running')
    returning id::float8 as id, workspace_id as "workspaceId", kind`.execute(db);
  return rows[0];
}

/**
 * Queues jobs again that crashed their worker before an instant and were requested after another
 * one, unless the same work was requested again later or is open. Returns their ids.
 */
export async function requeueCrashedJobs(
  db: Db,
  { crashedBefore, requestedAfter }: { crashedBefore: Date; requestedAfter: Date },
): Promise<number[]> {
  const { rows } = await sql<Row<'requeue-crashed-jobs'>>`/* requeue-crashed-jobs */
    update jobs j set state = 'queued', attempts = 0, error = null, finished_at = null,
      started_at = null, queued_until = null, crashed_at = null
    where j.crashed_at <= ${crashedBefore} and j.queued_at > ${requestedAfter}
      and j.state = 'failed'
      and not exists (select from jobs o where o.workspace_id = j.workspace_id
        and o.dedupe_key = j.dedupe_key
        and (o.id > j.id or o.state in ('queued', 'running')))
    returning j.id`.execute(db);
  return rows.map(({ id }) => Number(id));
}
