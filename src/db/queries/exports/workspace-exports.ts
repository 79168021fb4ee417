import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { mayRunAgain } from '../jobs/background-jobs.ts';

export interface WorkspaceExportRow {
  id: bigint;
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'shed';
  createdAt: Date;
  expiresAt: Date | null;
  rows: bigint | null;
  bytes: bigint | null;
  sha256: string | null;
}

/** Inserts the export of a job, or returns the one that exists. */
export async function upsertExport(
  tx: Tx,
  workspaceId: number,
  given: { jobId: number; format: string; maker: string; now: Date },
): Promise<number> {
  const { rows } = await sql<Row<'upsert-export'>>`
    insert into exports (workspace_id, job_id, format, maker, created_at)
      values (${workspaceId}, ${given.jobId}, ${given.format}, ${given.maker}, ${given.now})
    on conflict (job_id) do update set format = excluded.format returning id::float8 as id`.execute(
    tx,
  );
  return rows[0]!.id;
}

/** Deletes a maker's complete exports except the newest `keep`. */
export async function deleteOlderExports(
  tx: Tx,
  workspaceId: number,
  maker: string,
  keep: number,
): Promise<void> {
  await sql`
    delete from exports where workspace_id = ${workspaceId} and id in (
      select id from exports where workspace_id = ${workspaceId} and maker = ${maker}
        and expires_at is not null order by id desc offset ${keep})`.execute(tx);
}

export async function findExport(
  tx: Tx,
  workspaceId: number,
  id: number,
): Promise<WorkspaceExportRow | undefined> {
  const { rows } = await sql<Row<'find-export', WorkspaceExportRow, 'state'>>`
    select e.id, j.state, e.created_at as "createdAt", e.expires_at as "expiresAt", e.rows, e.bytes,
      e.sha256
    from exports e join jobs j on j.id = e.job_id
    where e.workspace_id = ${workspaceId} and j.workspace_id = ${workspaceId}
      and e.id = ${id}`.execute(tx);
  return rows[0];
}

/** How far an export is written. A process that continues it writes the same file. */
export interface ExportProgress {
  chunks: number;
  /** The parts after the tables of the workspace, in the order of apps and tables. */
  parts: number;
  /** The tables of each app; another version of the product may write others. */
  tables: string[];
}

export interface BegunExport {
  id: number;
  /** The apps of its snapshot as JSON. */
  apps: unknown;
  written: ExportProgress | null;
}

/**
 * Starts the export of a job, or continues it if it has these tables. Chunks that an earlier
 * attempt wrote beyond its progress are deleted.
 */
export async function beginExport(
  tx: Tx,
  workspaceId: number,
  jobId: number,
  tables: readonly string[],
): Promise<BegunExport | undefined> {
  const { rows } = await sql<Row<'begin-export', BegunExport, 'written'>>`
    select id::float8 as id, apps,
      case when written->'tables' = ${JSON.stringify(tables)}::jsonb then written end as written
    from exports where workspace_id = ${workspaceId} and job_id = ${jobId}`.execute(tx);
  const [begun] = rows;
  if (begun === undefined) return undefined;
  await sql`
    delete from export_chunks where workspace_id = ${workspaceId} and export_id = ${begun.id}
      and number >= ${begun.written?.chunks ?? 0}`.execute(tx);
  return begun;
}

/** Records how far an export is written, and its apps at the first time. */
export async function updateExportProgress(
  tx: Tx,
  workspaceId: number,
  exportId: number,
  { written, apps = null }: { written: ExportProgress; apps?: object | null },
): Promise<void> {
  await sql`
    update exports set written = ${JSON.stringify(written)}::jsonb,
      apps = coalesce(${apps === null ? null : JSON.stringify(apps)}::jsonb, apps)
    where workspace_id = ${workspaceId} and id = ${exportId}`.execute(tx);
}

/** Deletes what was written of an export, which begins anew if it is tried again. */
export async function discardExport(tx: Tx, workspaceId: number, exportId: number): Promise<void> {
  await sql`
    delete from export_chunks
    where workspace_id = ${workspaceId} and export_id = ${exportId}`.execute(tx);
  await sql`
    update exports set written = null, apps = null
    where workspace_id = ${workspaceId} and id = ${exportId}`.execute(tx);
}

export async function insertExportChunk(
  tx: Tx,
  workspaceId: number,
  chunk: { exportId: number; number: number; data: Buffer },
): Promise<void> {
  await sql`
    insert into export_chunks (workspace_id, export_id, number, data)
    values (${workspaceId}, ${chunk.exportId}, ${chunk.number}, ${chunk.data})`.execute(tx);
}

/** Extends the lease, so that no other worker starts the job before `until`. */
export async function extendJobLease(
  tx: Tx,
  workspaceId: number,
  jobId: number,
  until: Date,
): Promise<void> {
  await sql`
    update jobs set queued_until = ${until}
    where workspace_id = ${workspaceId} and id = ${jobId}`.execute(tx);
}

export async function finishExport(
  tx: Tx,
  workspaceId: number,
  end: { exportId: number; rows: number; bytes: number; sha256: string; expiresAt: Date },
): Promise<void> {
  await sql`
    update exports set rows = ${end.rows}, bytes = ${end.bytes}, sha256 = ${end.sha256},
      expires_at = ${end.expiresAt}
    where workspace_id = ${workspaceId} and id = ${end.exportId}`.execute(tx);
}

export async function findExportChunk(
  tx: Tx,
  workspaceId: number,
  exportId: number,
  number: number,
): Promise<Buffer | undefined> {
  const { rows } = await sql<Row<'find-export-chunk'>>`
    select data from export_chunks where workspace_id = ${workspaceId} and export_id = ${exportId}
      and number = ${number}`.execute(tx);
  return rows[0]?.data;
}

/**
 * Deletes expired exports in all workspaces, and abandoned ones whose job will not run again; for
 * the system role.
 */
export async function deleteExpiredExports(
  db: Db,
  limits: { now: Date; unfinishedBefore: Date; retriedAfter: Date },
): Promise<number> {
  const { rows } = await sql`
    delete from exports e where expires_at <= ${limits.now}
      or (expires_at is null and created_at < ${limits.unfinishedBefore} and not exists (
        select from jobs j where j.id = e.job_id and ${mayRunAgain(limits.retriedAfter)}))
    returning id`.execute(db);
  return rows.length;
}
