import { sql } from 'kysely';
import type { Db } from '../database.ts';
import type { HouseJobKind } from './jobs.ts';

const kinds: HouseJobKind[] = [
  'recompute',
  'actions-run',
  'export',
  'import',
  'redeliver',
  'digest-mail',
];

/**
 * Whether a job `j` may be done in the state of its workspace `w`: what was accepted before it might not be written to any more waits.
 * Exports and mail only read; actions are looked for daily where the plan has ended, too.
 */
const mayBeDone = sql`(j.kind in ('export', 'digest-mail') or (w.state <> 'suspended' and (j.kind = 'actions-run' or not w.rests)))`;

/** Takes accepted house work that no worker has and whose workspace may have it done, oldest first. */
export async function takeHouseJobs(
  db: Db,
  input: { now: Date; until: Date; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: bigint }>`/* take-house-jobs */
    update jobs j set queued_until = ${input.until}
    from (
      select j.id from jobs j join workspaces w on w.id = j.workspace_id
      where j.state in ('queued', 'running') and j.kind = any(${kinds}) and (j.queued_until is null or j.queued_until <= ${input.now})
        and ${mayBeDone}
      order by j.id limit ${input.limit} for update of j skip locked
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

/** Counts a beginning; undefined when it ended meanwhile, or has to wait. */
export async function beginHouseJob(
  db: Db,
  id: number,
  now: Date,
): Promise<HouseJobRow | undefined> {
  const { rows } = await sql<HouseJobRow>`
    update jobs j set state = 'running', attempts = j.attempts + 1, started_at = coalesce(j.started_at, ${now})
    from workspaces w
    where j.id = ${id} and j.state in ('queued', 'running') and w.id = j.workspace_id and ${mayBeDone}
    returning j.id::float8 as id, j.workspace_id as "workspaceId", j.app_id as "appId", j.kind, j.payload, j.attempts`.execute(
    db,
  );
  return rows[0];
}

/** Not begun again before `until`. */
export async function putOffHouseJob(db: Db, id: number, until: Date): Promise<void> {
  await sql`update jobs set state = 'queued', queued_until = ${until} where id = ${id} and state in ('queued', 'running')`.execute(
    db,
  );
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
