import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { JobKind } from './jobs.ts';

export interface ChangeableJob {
  id: bigint;
  kind: JobKind;
  state: string;
  appId: number | null;
  dedupeKey: string | null;
  payload: { marketIds?: number[]; storeTaskIds?: number[]; listingId?: number };
}

/** A job of the workspace, locked until the transaction ends. */
export async function lockJob(
  tx: Tx,
  workspaceId: number,
  jobId: number,
): Promise<ChangeableJob | undefined> {
  const { rows } = await sql<Row<'lock-job', ChangeableJob, 'kind' | 'payload'>>`
    select id, kind, state, app_id as "appId", dedupe_key as "dedupeKey", payload from jobs
    where workspace_id = ${workspaceId} and id = ${jobId} for update`.execute(tx);
  return rows[0];
}

/** The workspace's open job with this key, if there is one. */
export async function findOpenJob(
  tx: Tx,
  workspaceId: number,
  dedupeKey: string,
): Promise<number | undefined> {
  const { rows } = await sql<Row<'find-open-job'>>`
    select id from jobs where workspace_id = ${workspaceId} and dedupe_key = ${dedupeKey}
      and state in ('queued', 'running')`.execute(tx);
  return rows[0] && Number(rows[0].id);
}

/** Resets the job as if it were accepted now, for this day. */
export async function reopenJob(
  tx: Tx,
  workspaceId: number,
  job: { id: bigint; day: string; total: number; dedupeKey: string | null },
): Promise<void> {
  await sql`
    update jobs set state = 'queued', attempts = 0, error = null, result = null, started_at = null,
      finished_at = null, queued_until = null,
      done = 0, total = ${job.total}, dedupe_key = ${job.dedupeKey},
        payload = payload || jsonb_build_object('day', ${job.day}::text)
    where workspace_id = ${workspaceId} and id = ${job.id}`.execute(tx);
}

export async function cancelJob(tx: Tx, workspaceId: number, id: bigint, now: Date): Promise<void> {
  await sql`
    update jobs set state = 'cancelled', finished_at = ${now}
      where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}
