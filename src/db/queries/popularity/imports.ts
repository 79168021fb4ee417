import { sql } from 'kysely';
import { mayRunAgain } from '../jobs/background-jobs.ts';
import type { JobState } from '../jobs/job-list.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** Inserts the import of a job, or returns the one that exists. */
export async function upsertPopularityImport(
  tx: Tx,
  given: {
    jobId: number;
    requestedBy: string;
    fileName: string;
    bytes: number;
    parts: number;
    now: Date;
  },
): Promise<number> {
  const { jobId, requestedBy, fileName, bytes, parts, now } = given;
  const { rows } = await sql<Row<'upsert-popularity-import'>>`/* upsert-popularity-import */
    insert into popularity_imports (job_id, requested_by, file_name, bytes, parts, created_at)
      values (${jobId}, ${requestedBy}, ${fileName}, ${bytes}, ${parts}, ${now})
    on conflict (job_id) do update set job_id = excluded.job_id
    returning id::float8 as id`.execute(tx);
  return rows[0]!.id;
}

export interface PopularityImportRow {
  id: number;
  state: JobState;
  jobId: number | null;
  requestedBy: string;
  fileName: string;
  bytes: number;
  parts: number;
  format: 'xlsx' | 'csv' | null;
  createdAt: Date;
  finishedAt: Date | null;
  percent: number;
  rowsRead: number;
  rowsRefused: number;
  refused: unknown;
  sets: unknown;
  refusal: unknown;
}

/** The newest imports before an id; for the system role, because jobs belong to workspaces. */
export async function listPopularityImports(
  systemDb: Db | Tx,
  page: { before: number | null; limit: number },
): Promise<PopularityImportRow[]> {
  const { rows } = await sql<
    Row<'list-popularity-imports', PopularityImportRow, 'state' | 'format'>
  >`/* list-popularity-imports */
    select i.id::float8 as id,
      coalesce(j.state, case when i.finished_at is null then 'failed' else 'succeeded' end)
        as state,
      i.job_id::float8 as "jobId", i.requested_by as "requestedBy", i.file_name as "fileName",
      i.bytes::float8 as bytes, i.parts, i.format, i.created_at as "createdAt",
      i.finished_at as "finishedAt", i.percent, i.rows_read as "rowsRead",
      i.rows_refused as "rowsRefused", '[]'::jsonb as refused, '[]'::jsonb as sets, i.refusal
    from popularity_imports i left join jobs j on j.id = i.job_id
    where ${page.before}::bigint is null or i.id < ${page.before}
    order by i.id desc limit ${page.limit}`.execute(systemDb);
  return rows;
}

export async function countPopularityImports(systemDb: Db | Tx): Promise<number> {
  const { rows } = await sql<Row<'count-popularity-imports'>>`/* count-popularity-imports */
    select count(*)::int as count from popularity_imports`.execute(systemDb);
  return rows[0]!.count;
}

export async function findPopularityImport(
  systemDb: Db | Tx,
  by: { id: number } | { jobId: number },
): Promise<PopularityImportRow | undefined> {
  const [id, jobId] = 'id' in by ? [by.id, null] : [null, by.jobId];
  const { rows } = await sql<
    Row<'find-popularity-import', PopularityImportRow, 'state' | 'format'>
  >`/* find-popularity-import */
    select i.id::float8 as id,
      coalesce(j.state, case when i.finished_at is null then 'failed' else 'succeeded' end)
        as state,
      i.job_id::float8 as "jobId", i.requested_by as "requestedBy", i.file_name as "fileName",
      i.bytes::float8 as bytes, i.parts, i.format, i.created_at as "createdAt",
      i.finished_at as "finishedAt", i.percent, i.rows_read as "rowsRead",
      i.rows_refused as "rowsRefused", i.refused, i.sets, i.refusal
    from popularity_imports i left join jobs j on j.id = i.job_id
    where i.id = ${id}::bigint or i.job_id = ${jobId}::bigint`.execute(systemDb);
  return rows[0];
}

/** Locks the row for the end of an import. False when another run has ended it. */
export async function lockOpenPopularityImport(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql<Row<'lock-popularity-import'>>`/* lock-popularity-import */
    select id::float8 as id from popularity_imports
    where id = ${id} and finished_at is null for update`.execute(tx);
  return rows.length > 0;
}

export interface PopularityProgress {
  format: 'xlsx' | 'csv';
  percent: number;
  rowsRead: number;
  rowsRefused: number;
}

export async function updatePopularityProgress(
  db: Db | Tx,
  id: number,
  progress: PopularityProgress,
): Promise<void> {
  const { format, percent, rowsRead, rowsRefused } = progress;
  await sql`/* update-popularity-progress */
    update popularity_imports set format = ${format}, percent = ${percent}::smallint,
      rows_read = ${rowsRead}, rows_refused = ${rowsRefused}
    where id = ${id} and finished_at is null`.execute(db);
}

/** Records how an import ended. */
export async function finishPopularityImport(
  tx: Tx,
  id: number,
  end: { refused: unknown; sets: unknown; refusal: unknown; now: Date },
): Promise<void> {
  await sql`/* finish-popularity-import */
    update popularity_imports set finished_at = ${end.now},
      refused = ${JSON.stringify(end.refused)}::jsonb, sets = ${JSON.stringify(end.sets)}::jsonb,
      refusal = ${end.refusal === null ? null : JSON.stringify(end.refusal)}::jsonb
    where id = ${id}`.execute(tx);
}

export async function upsertPopularityPart(
  tx: Tx,
  workspaceId: number,
  part: { number: number; data: Buffer; now: Date },
): Promise<void> {
  await sql`/* upsert-popularity-part */
    insert into popularity_import_parts (workspace_id, number, data, stored_at)
      values (${workspaceId}, ${part.number}, ${part.data}, ${part.now})
    on conflict (workspace_id, number) do update
      set data = excluded.data, stored_at = excluded.stored_at`.execute(tx);
}

/** True while the parts of this workspace are being imported. */
export async function hasOpenPopularityImport(tx: Tx, workspaceId: number): Promise<boolean> {
  const { rows } = await sql<Row<'has-open-popularity-import'>>`/* has-open-popularity-import */
    select exists (select from jobs where workspace_id = ${workspaceId}
      and kind = 'popularity-import' and state in ('queued', 'running')) as open`.execute(tx);
  return rows[0]!.open;
}

/** The sizes of the parts 1 to `parts`, in their order. */
export async function listPopularityParts(
  tx: Db | Tx,
  workspaceId: number,
  parts: number,
): Promise<{ number: number; bytes: number }[]> {
  const { rows } = await sql<Row<'list-popularity-parts'>>`/* list-popularity-parts */
    select number, octet_length(data) as bytes from popularity_import_parts
    where workspace_id = ${workspaceId} and number <= ${parts} order by number`.execute(tx);
  return rows;
}

export async function findPopularityPart(
  db: Db | Tx,
  workspaceId: number,
  number: number,
): Promise<Buffer | undefined> {
  const { rows } = await sql<Row<'find-popularity-part'>>`/* find-popularity-part */
    select data from popularity_import_parts
    where workspace_id = ${workspaceId} and number = ${number}`.execute(db);
  return rows[0]?.data;
}

export async function deletePopularityParts(tx: Tx, workspaceId: number): Promise<void> {
  await sql`/* delete-popularity-parts */
    delete from popularity_import_parts where workspace_id = ${workspaceId}`.execute(tx);
}

/** In all workspaces, except parts of an import that may run again; for the system role. */
export async function deleteOldPopularityParts(
  db: Db,
  { before, retriedAfter }: { before: Date; retriedAfter: Date },
): Promise<void> {
  await sql`/* delete-old-popularity-parts */
    delete from popularity_import_parts p where stored_at < ${before} and not exists (
      select from jobs j where j.workspace_id = p.workspace_id and j.kind = 'popularity-import'
        and ${mayRunAgain(retriedAfter)})`.execute(db);
}
