import { sql } from 'kysely';
import type { JobState } from '../jobs/job-list.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { mayRunAgain } from '../jobs/background-jobs.ts';

export type HistoryPhase =
  | 'uploading'
  | 'checking'
  | 'checked'
  | 'importing'
  | 'imported'
  | 'refused';

export interface HistoryImportRow {
  id: number;
  appId: number;
  jobId: number | null;
  jobState: JobState | null;
  requestedBy: string;
  fileName: string;
  createdAt: Date;
  finishedAt: Date | null;
  phase: HistoryPhase;
  parts: number | null;
  reading: unknown;
  percent: number;
  rowsRead: number;
  rowsWritten: number;
  rowsKnown: number;
  reasons: unknown;
  missing: unknown;
  refusal: unknown;
}

export async function insertHistoryImport(
  tx: Tx,
  workspaceId: number,
  made: { appId: number; fileName: string; requestedBy: string; now: Date },
): Promise<number> {
  const { rows } = await sql<Row<'insert-history-import'>>`/* insert-history-import */
    insert into history_imports (workspace_id, app_id, file_name, requested_by, created_at)
    values (${workspaceId}, ${made.appId}, ${made.fileName}, ${made.requestedBy}, ${made.now})
    returning id::float8 as id`.execute(tx);
  return rows[0]!.id;
}

/** The import with an id, or the newest ones before an id. */
export async function listHistoryImports(
  tx: Db | Tx,
  workspaceId: number,
  page: { id: number | null; before: number | null; limit: number },
): Promise<HistoryImportRow[]> {
  const { rows } = await sql<
    Row<'list-history-imports', HistoryImportRow, 'phase' | 'jobState'>
  >`/* list-history-imports */
    select i.id::float8 as id, i.app_id as "appId", i.job_id::float8 as "jobId",
      j.state as "jobState", i.requested_by as "requestedBy", i.file_name as "fileName",
      i.created_at as "createdAt", i.finished_at as "finishedAt", i.phase, i.parts, i.reading,
      i.percent, i.rows_read as "rowsRead", i.rows_written as "rowsWritten",
      i.rows_known as "rowsKnown", i.reasons, i.missing, i.refusal
    from history_imports i left join jobs j on j.id = i.job_id
    where i.workspace_id = ${workspaceId}
      and (${page.id}::bigint is null or i.id = ${page.id})
      and (${page.before}::bigint is null or i.id < ${page.before})
    order by i.id desc limit ${page.limit}`.execute(tx);
  return rows;
}

export async function findHistoryImport(
  tx: Db | Tx,
  workspaceId: number,
  id: number,
): Promise<HistoryImportRow | undefined> {
  return (await listHistoryImports(tx, workspaceId, { id, before: null, limit: 1 }))[0];
}

export async function countHistoryImports(tx: Tx, workspaceId: number): Promise<number> {
  const { rows } = await sql<Row<'count-history-imports'>>`/* count-history-imports */
    select count(*)::int as count from history_imports
    where workspace_id = ${workspaceId}`.execute(tx);
  return rows[0]!.count;
}

/** Locks an import against another check, run or upload; returns its phase. */
export async function lockHistoryImport(
  tx: Tx,
  workspaceId: number,
  id: number,
): Promise<HistoryPhase | undefined> {
  const { rows } = await sql<
    Row<'lock-history-import', { phase: HistoryPhase }, 'phase'>
  >`/* lock-history-import */
    select phase from history_imports
    where workspace_id = ${workspaceId} and id = ${id} for update`.execute(tx);
  return rows[0]?.phase;
}

/** Begins a check, which replaces the results of the one before. */
export async function startHistoryCheck(
  tx: Tx,
  workspaceId: number,
  id: number,
  check: { jobId: number; parts: number; reading: object },
): Promise<void> {
  await sql`/* start-history-check */
    update history_imports set phase = 'checking', job_id = ${check.jobId},
      parts = ${check.parts}, reading = ${JSON.stringify(check.reading)}::jsonb, percent = 0,
      rows_read = 0, rows_written = 0, rows_known = 0, reasons = '{}', missing = '[]',
      refusal = null, finished_at = null
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export async function startHistoryRun(
  tx: Tx,
  workspaceId: number,
  id: number,
  jobId: number,
): Promise<void> {
  await sql`/* start-history-run */
    update history_imports set phase = 'importing', job_id = ${jobId}, percent = 0
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export async function updateHistoryProgress(
  tx: Db | Tx,
  workspaceId: number,
  id: number,
  progress: { percent: number; rowsRead: number | null },
): Promise<void> {
  await sql`/* update-history-progress */
    update history_imports set percent = ${progress.percent}::smallint,
      rows_read = coalesce(${progress.rowsRead}::int, rows_read)
    where workspace_id = ${workspaceId} and id = ${id}
      and phase in ('checking', 'importing')`.execute(tx);
}

/** Ends a check or a run. */
export async function finishHistoryPhase(
  tx: Db | Tx,
  workspaceId: number,
  id: number,
  end: {
    phase: HistoryPhase;
    rowsWritten: number;
    rowsKnown: number;
    reasons: object;
    /** Null: those of the check stay. */
    missing: object | null;
    refusal: object | null;
    now: Date;
  },
): Promise<void> {
  const missing = end.missing === null ? null : JSON.stringify(end.missing);
  const refusal = end.refusal === null ? null : JSON.stringify(end.refusal);
  await sql`/* finish-history-phase */
    update history_imports set phase = ${end.phase}, percent = 100,
      rows_written = ${end.rowsWritten}, rows_known = ${end.rowsKnown},
      reasons = ${JSON.stringify(end.reasons)}::jsonb,
      missing = coalesce(${missing}::jsonb, missing), refusal = ${refusal}::jsonb,
      finished_at = ${end.now}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export async function deleteHistoryImport(tx: Tx, workspaceId: number, id: number): Promise<void> {
  await sql`/* delete-history-import */
    delete from history_imports where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** In all workspaces, except those in progress or retried; for the system role. */
export async function deleteOldHistoryImports(
  db: Db,
  { before, retriedAfter }: { before: Date; retriedAfter: Date },
): Promise<void> {
  await sql`/* delete-old-history-imports */
    delete from history_imports i where created_at < ${before} and not exists (
      select from jobs j where j.id = i.job_id and ${mayRunAgain(retriedAfter)})`.execute(db);
}

/** The app of an import, and its live keywords; for the system role. */
export async function listHistoryKeywords(
  db: Db | Tx,
  workspaceId: number,
  appId: number,
): Promise<{ id: number; phrase: string; country: string; device: string }[]> {
  const { rows } = await sql<Row<'list-history-keywords'>>`/* list-history-keywords */
    select id, phrase, country, device from keywords
    where workspace_id = ${workspaceId} and app_id = ${appId} and archived_at is null`.execute(db);
  return rows;
}
