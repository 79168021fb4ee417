import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { HouseJobKind } from './jobs.ts';

const kinds: HouseJobKind[] = ['recompute', 'actions-run', 'export', 'import', 'redeliver', 'digest-mail'];

/** Takes accepted house work that no worker has, oldest first. */
export async function takeHouseJobs(db: Db, input: { now: Date; until: Date; limit: number }): Promise<number[]> {
  const { rows } = await sql<{ id: bigint }>`/* take-house-jobs */
    update jobs j set queued_until = ${input.until}
    from (
      select id from jobs
      where state in ('queued', 'running') and kind = any(${kinds}) and (queued_until is null or queued_until <= ${input.now})
      order by id limit ${input.limit} for update skip locked
    ) next
    where j.id = next.id returning j.id`.execute(db);
  return rows.map((row) => Number(row.id));
}

export async function releaseHouseJobs(db: Db, ids: number[]): Promise<void> {
  await sql`update jobs set queued_until = null where id = any(${ids}::bigint[])`.execute(db);
}

export interface HouseJobRow {
  id: number;
  workspaceId: number;
  appId: number | null;
  kind: HouseJobKind;
  payload: unknown;
  attempts: number;
}

/** Counts a beginning; undefined when it ended meanwhile. */
export async function beginHouseJob(db: Db, id: number, now: Date): Promise<HouseJobRow | undefined> {
  const { rows } = await sql<HouseJobRow>`
    update jobs set state = 'running', attempts = attempts + 1, started_at = coalesce(started_at, ${now})
    where id = ${id} and state in ('queued', 'running')
    returning id::float8 as id, workspace_id as "workspaceId", app_id as "appId", kind, payload, attempts`.execute(db);
  return rows[0];
}

export async function endHouseJob(
  db: Db,
  id: number,
  end: { state: 'succeeded' | 'failed'; error: string | null; result: object | null; now: Date },
): Promise<void> {
  await sql`
    update jobs set state = ${end.state}, error = ${end.error}, result = ${end.result === null ? null : JSON.stringify(end.result)}::jsonb,
      done = total, finished_at = ${end.now}, queued_until = null
    where id = ${id} and state in ('queued', 'running')`.execute(db);
}
