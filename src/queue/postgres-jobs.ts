import type { JobJson, PgPool } from 'bullmq';

/** A job that has no parent and no delay, as BullMQ describes it. */
export interface NewJob {
  id: string;
  job: JobJson;
}

/**
 * Adds jobs in their order, in one statement. Skips ids that are in the queue. Of their options the
 * number of attempts is enough: a job that is done is always deleted.
 */
export async function insertJobs(pool: PgPool, queue: string, jobs: NewJob[]): Promise<void> {
  const column = <Value>(valueOf: (job: NewJob) => Value) => jobs.map(valueOf);
  await pool.query(
    `with added as (
       insert into job (queue, id, seq, name, state, data, opts, priority, max_attempts,
         added_at_ms)
       select $1::text, id, nextval('job_seq'), name, 'waiting', data, opts, priority, attempts,
         added_at_ms
       from unnest($2::text[], $3::text[], $4::jsonb[], $5::jsonb[], $6::int[], $7::int[],
         $8::bigint[]) as new(id, name, data, opts, priority, attempts, added_at_ms)
       on conflict (queue, id) do nothing
       returning queue
     )
     select pg_notify('bullmq_jobs', $1) where exists (select from added)`,
    [
      queue,
      column(({ id }) => id),
      column(({ job }) => job.name),
      column(({ job }) => job.data),
      column(({ job }) => JSON.stringify({ attempts: job.opts.attempts })),
      column(({ job }) => job.priority ?? job.opts.priority ?? 0),
      column(({ job }) => job.opts.attempts ?? 1),
      column(({ job }) => job.timestamp),
    ],
  );
}

/** Those of the queues with active jobs: only these can have stalled. Writes nothing. */
export async function listActiveQueues(
  pool: PgPool,
  queues: readonly string[],
): Promise<Set<string>> {
  const { rows } = await pool.query<{ queue: string }>(
    `select queue from unnest($1::text[]) as asked(queue)
     where exists (select from job where job.queue = asked.queue and state = 'active')`,
    [queues],
  );
  return new Set(rows.map(({ queue }) => queue));
}

/**
 * Returns to the queues what a process that has ended was running. Counts like BullMQ's own check
 * for such jobs, which takes two rounds after the end of a lock.
 */
export async function returnRunningJobs(pool: PgPool): Promise<void> {
  await pool.query(
    `update job set state = 'waiting', lock_token = null, locked_until_ms = null,
       stalled_marked = false, stalled_count = stalled_count + 1
     where state = 'active'`,
  );
}

/**
 * Corrects what a clock that was ahead has written for BullMQ's check for stalled jobs: the instant
 * of the last check, and locks that end more than two lock durations from now. Without such a row
 * nothing is written. The time is this process's, as in BullMQ's own check: the database's clock
 * may be behind those of all workers.
 */
export async function endLaterLocks(pool: PgPool, queue: string, lockMs: number): Promise<void> {
  await pool.query(
    `with forgotten as (
       delete from meta where queue = $1 and field = 'stalled-check'
         and case when field = 'stalled-check' then value::bigint end > $3::bigint
     )
     update job set locked_until_ms = $3::bigint + $2::bigint
     where queue = $1 and state = 'active' and locked_until_ms > $3::bigint + 2 * $2::bigint`,
    [queue, lockMs, Date.now()],
  );
}

export interface Step {
  /** The active job to delete. */
  doneId: string | null;
  /** The lock of that job, and of the job to take. */
  token: string;
  isTaking: boolean;
}

export interface StepResult {
  /** False where the job is gone or somebody else has its lock; then no other one is taken. */
  isDone: boolean;
  /** Null when no job is waiting. */
  job: JobJson | null;
}

interface TakenRow {
  lock_token: string;
  id: string;
  name: string;
  data: string;
  opts: JobJson['opts'];
  progress: JobJson['progress'] | null;
  attempts_made: number;
  attempts_started: number;
  processed_at_ms: number;
  added_at_ms: number;
  priority: number;
  stacktrace: string[] | null;
  stalled_count: number;
}

/** Deletes jobs that are done, and takes the first waiting ones, in one statement. */
export async function finishAndTake(
  pool: PgPool,
  queue: string,
  lockMs: number,
  steps: readonly Step[],
): Promise<StepResult[]> {
  const { rows } = await pool.query<{ done: string[]; taken: TakenRow[] }>(
    `with requested as (
       select * from unnest($2::text[], $3::text[], $4::boolean[]) as s(id, token, is_taking)
     ), done as (
       delete from job using requested
       where queue = $1 and job.id = requested.id and state = 'active'
         and lock_token = requested.token
       returning job.id
     ), free as (
       select token, row_number() over () as number from requested
       where is_taking and (id is null or id in (select id from done))
     ), first as (
       select id, row_number() over (order by priority, seq) as number
       from (select id, priority, seq from job where queue = $1 and state = 'waiting'
         order by priority, seq limit (select count(*) from free) for update skip locked) as waiting
     ), taken as (
       update job set state = 'active', lock_token = free.token,
         locked_until_ms = $5::bigint + $6::bigint, processed_at_ms = $5::bigint,
         attempts_started = attempts_started + 1
       from first join free using (number) where queue = $1 and job.id = first.id
       returning lock_token, job.id, name, data::text, opts, progress, attempts_made,
         attempts_started, processed_at_ms, added_at_ms, priority, stacktrace, stalled_count
     )
     select array(select id from done) as done,
       (select coalesce(json_agg(taken), '[]') from taken) as taken`,
    [
      queue,
      steps.map(({ doneId }) => doneId),
      steps.map(({ token }) => token),
      steps.map(({ isTaking }) => isTaking),
      Date.now(),
      lockMs,
    ],
  );
  const done = new Set(rows[0]!.done);
  const taken = new Map(rows[0]!.taken.map((row) => [row.lock_token, toJob(row)]));
  return steps.map(({ doneId, token }) => ({
    isDone: doneId !== null && done.has(doneId),
    job: taken.get(token) ?? null,
  }));
}

const toJob = (row: TakenRow): JobJson => ({
  id: row.id,
  name: row.name,
  data: row.data,
  opts: row.opts,
  progress: row.progress ?? 0,
  attemptsMade: row.attempts_made,
  attemptsStarted: row.attempts_started,
  processedOn: row.processed_at_ms,
  timestamp: row.added_at_ms,
  priority: row.priority,
  failedReason: '',
  stacktrace: JSON.stringify(row.stacktrace ?? []),
  returnvalue: 'null',
  stalledCounter: row.stalled_count,
});
