import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { lastPauseEnd } from '../jobs/background-jobs.ts';
import type { MarketName } from './country-scores.ts';

/** A row that a job has still to score. */
export interface DueCountryScore extends MarketName {
  id: number;
  device: string;
  attempts: number;
  /** When its job was accepted: its use is counted in that hour. */
  queuedAt: Date;
}

/** The rows of a job whose next attempt is due, in the order in which they are due. */
export async function listDueCountryScores(
  db: Db,
  { jobId, now, limit }: { jobId: number; now: Date; limit: number },
): Promise<DueCountryScore[]> {
  const { rows } = await sql<Row<'due-country-scores', DueCountryScore>>`/* due-country-scores */
    select c.id::float8 as id, c.phrase, c.country, c.device, c.attempts, j.queued_at as "queuedAt"
    from country_scores c join jobs j on j.id = c.job_id
    where c.job_id = ${jobId} and (c.due_at <= ${now} or c.due_at > ${lastPauseEnd(now)})
    order by c.due_at, c.id limit ${limit}`.execute(db);
  return rows;
}

/** When the next row of a job is due; null when the job has none left. */
export async function findNextDue(db: Db, jobId: number): Promise<Date | null> {
  const { rows } = await sql<Row<'next-due-country-score'>>`/* next-due-country-score */
    select min(due_at) as due from country_scores where job_id = ${jobId}`.execute(db);
  return rows[0]?.due ?? null;
}

export interface CountryResult {
  position: number | null;
  depth: number;
  traffic: number | null;
  difficulty: number | null;
  certainty: object;
}

const countDone = (jobId: number) => sql`
  update jobs set done = least(total, done + (select count(*)::int from ended))
    where id = ${jobId}`;

/** Stores the result of a row, once: a repeated run of the job changes nothing. */
export async function recordCountryScore(
  tx: Tx,
  { id, jobId, now, result }: { id: number; jobId: number; now: Date; result: CountryResult },
): Promise<void> {
  await sql`
    with ended as (
      update country_scores set scored_at = ${now}, position = ${result.position},
        depth = ${result.depth}, traffic = ${result.traffic}, difficulty = ${result.difficulty},
        certainty = ${JSON.stringify(result.certainty)}::jsonb,
        failed_at = null, failure = null, job_id = null, due_at = null
      where id = ${id} and job_id = ${jobId} returning id
    ) ${countDone(jobId)}`.execute(tx);
}

/** Ends a row without a result; an older one stays. False when it had ended. */
export async function recordCountryFailure(
  tx: Tx,
  { id, jobId, now, failure }: { id: number; jobId: number; now: Date; failure: string },
): Promise<boolean> {
  const { rows } = await sql<Row<'record-country-failure'>>`/* record-country-failure */
    with ended as (
      update country_scores set failed_at = ${now}, failure = ${failure}, job_id = null,
        due_at = null
      where id = ${id} and job_id = ${jobId} returning id
    ), counted as (${countDone(jobId)} returning 1)
    select count(*)::int as ended from ended`.execute(tx);
  return rows[0]!.ended > 0;
}

export async function rescheduleCountryScore(
  db: Db,
  { id, jobId, attempts, at }: { id: number; jobId: number; attempts: number; at: Date },
): Promise<void> {
  await sql`
    update country_scores set attempts = ${attempts}, due_at = ${at}
    where id = ${id} and job_id = ${jobId}`.execute(db);
}
