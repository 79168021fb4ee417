import { sql } from 'kysely';
import type { JobKind } from '#contract/choices.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { StoredPart } from './job-parts.ts';

const storeJobKinds = [
  'first-check',
  'run-daily',
  'keyword-check',
  'app-refresh',
  'review-sync',
  'score',
] as const satisfies readonly JobKind[];

/** Jobs that planned store work completes. */
export type StoreJobKind = (typeof storeJobKinds)[number];
/** Background jobs: a worker runs them without a store. */
export type BackgroundJobKind = Exclude<JobKind, StoreJobKind>;

export type { JobKind };

export const isStoreJob = (kind: JobKind): kind is StoreJobKind =>
  (storeJobKinds as readonly JobKind[]).includes(kind);

export interface NewJob {
  workspaceId: number;
  appId: number | null;
  kind: JobKind;
  dedupeKey: string | null;
  payload: object;
  total: number;
  /** Parts that had an outcome before the job was accepted. */
  done?: number;
  parts?: StoredPart[];
  queuedAt: Date;
  /** The trace of the request, when OpenTelemetry is on. */
  traceparent?: string | null;
}

/** Inserts a job, or returns the open one with the same dedupe key. */
export async function insertJob(
  tx: Tx,
  job: NewJob,
): Promise<{ id: bigint; state: string; queuedAt: Date; deduped: boolean }> {
  const { done = 0, parts = [], traceparent = null } = job;
  const inserted = await sql<Row<'insert-job'>>`
    insert into jobs (workspace_id, app_id, kind, dedupe_key, payload, total, done, parts,
      queued_at, traceparent)
    values (${job.workspaceId}, ${job.appId}, ${job.kind}, ${job.dedupeKey},
      ${JSON.stringify(job.payload)}, ${job.total}, ${done},
      ${JSON.stringify(parts)}::jsonb, ${job.queuedAt}, ${traceparent})
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
    .executeTakeFirst();
  // A job that ended between the two statements makes room for this one.
  if (!open) return insertJob(tx, job);
  return { id: open.id, state: open.state, queuedAt: open.queued_at, deduped: true };
}
