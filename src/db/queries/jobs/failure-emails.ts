import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { BackgroundJobKind } from './jobs.ts';

/**
 * Adds a background job for each owner who has not yet got an email about the failure of this job.
 */
export async function insertFailureEmails(
  tx: Tx,
  failed: { jobId: number; workspaceId: number; userIds: number[]; now: Date },
): Promise<void> {
  const { jobId, workspaceId, userIds, now } = failed;
  await sql`
    insert into jobs (workspace_id, kind, dedupe_key, payload, total, queued_at)
    select ${workspaceId}, 'failure-mail', key, payload, 1, ${now}
    from unnest(${userIds}::integer[]) as to_user,
      concat('failure-mail_', ${jobId}::bigint, '_', to_user) as key,
      jsonb_build_object('jobId', ${jobId}::bigint, 'userId', to_user) as payload
    where not exists (select from jobs j
      where j.workspace_id = ${workspaceId} and j.dedupe_key = key)`.execute(tx);
}

export interface FailedJobRow {
  kind: BackgroundJobKind;
  error: string;
  failedAt: Date;
}

/** Undefined when the job runs again, or has succeeded since. */
export async function findFailedJob(
  tx: Tx,
  workspaceId: number,
  jobId: number,
): Promise<FailedJobRow | undefined> {
  const { rows } = await sql<Row<'find-failed-job', FailedJobRow, 'kind' | 'error' | 'failedAt'>>`
    select kind, error, finished_at as "failedAt" from jobs
    where workspace_id = ${workspaceId} and id = ${jobId} and state = 'failed'`.execute(tx);
  return rows[0];
}
