import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { StoredPart } from './job-parts.ts';
import type { JobKind } from './jobs.ts';

export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'shed';

export interface JobRow {
  id: bigint;
  kind: JobKind;
  state: JobState;
  appId: number | null;
  attempts: number;
  total: number;
  done: number;
  /** The markets that the job requested; more than its total when some needed no search. */
  markets: number;
  parts: StoredPart[];
  error: string | null;
  result: { path: string } | null;
  queuedAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
}

export interface JobFilter {
  kind?: JobKind | undefined;
  state?: JobState | undefined;
  appId?: number | undefined;
}

const columns = sql`
  id, kind, state, app_id as "appId", attempts, total, done,
  jsonb_array_length(coalesce(payload->'marketIds', '[]')) as markets, parts, error, result,
  queued_at as "queuedAt", started_at as "startedAt", finished_at as "finishedAt"`;

const matches = (workspaceId: number, filter: JobFilter) => sql`
  workspace_id = ${workspaceId}
  and (${filter.kind ?? null}::text is null or kind = ${filter.kind ?? null})
  and (${filter.state ?? null}::text is null or state = ${filter.state ?? null})
  and (${filter.appId ?? null}::int is null or app_id = ${filter.appId ?? null})`;

/** Newest first, older than `before`. */
export async function listJobRows(
  tx: Tx,
  workspaceId: number,
  filter: JobFilter & { before: number | null; limit: number },
): Promise<JobRow[]> {
  const { rows } = await sql<Row<'list-job-rows', JobRow, 'kind' | 'state' | 'parts' | 'result'>>`
    select ${columns} from jobs
    where ${matches(workspaceId, filter)} and (${filter.before}::bigint is null
      or id < ${filter.before})
    order by id desc limit ${filter.limit}`.execute(tx);
  return rows;
}

export async function countJobs(tx: Tx, workspaceId: number, filter: JobFilter): Promise<number> {
  const { rows } = await sql<
    Row<'count-jobs'>
  >`select count(*)::int as jobs from jobs where ${matches(workspaceId, filter)}`.execute(tx);
  return rows[0]!.jobs;
}

export async function findJobRow(
  tx: Tx,
  workspaceId: number,
  jobId: number,
): Promise<JobRow | undefined> {
  const { rows } = await sql<Row<'find-job-row', JobRow, 'kind' | 'state' | 'parts' | 'result'>>`
      select ${columns} from jobs where workspace_id = ${workspaceId} and id = ${jobId}`.execute(
    tx,
  );
  return rows[0];
}
