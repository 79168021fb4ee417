import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { StoredPart, StoreJobPayload } from './job-parts.ts';
import type { JobKind } from './jobs.ts';

export interface ChangeableJob {
  id: bigint;
  kind: JobKind;
  state: string;
  appId: number | null;
  dedupeKey: string | null;
  payload: Partial<StoreJobPayload>;
  total: number;
  done: number;
}

/** A job of the workspace, locked until the transaction ends. */
export async function lockJob(
  tx: Tx,
  workspaceId: number,
  jobId: number,
): Promise<ChangeableJob | undefined> {
  const { rows } = await sql<Row<'lock-job', ChangeableJob, 'kind' | 'payload'>>`
    select id, kind, state, app_id as "appId", dedupe_key as "dedupeKey", payload, total, done
    from jobs
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

/** Resets the job as if it were accepted now. */
export async function reopenJob(
  tx: Tx,
  workspaceId: number,
  job: {
    id: bigint;
    dedupeKey: string | null;
    total: number;
    done?: number;
    parts?: StoredPart[];
    /** The new parts of its payload. */
    payload: object;
  },
): Promise<void> {
  const { done = 0, parts = [] } = job;
  await sql`
    update jobs set state = 'queued', attempts = 0, error = null, result = null, started_at = null,
      finished_at = null, queued_until = null, awaited_until = null,
      crashed_at = null,
      done = ${done}, total = ${job.total}, parts = ${JSON.stringify(parts)}::jsonb,
      dedupe_key = ${job.dedupeKey}, payload = payload || ${JSON.stringify(job.payload)}::jsonb
    where workspace_id = ${workspaceId} and id = ${job.id}`.execute(tx);
}

export async function cancelJob(tx: Tx, workspaceId: number, id: bigint, now: Date): Promise<void> {
  await sql`
    update jobs set state = 'cancelled', finished_at = ${now}
      where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}
