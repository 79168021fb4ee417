import { sql } from 'kysely';
import type { StoreName } from '../../lib/store-name.ts';
import type { Db, Tx } from '../database.ts';

/** Holds the workspace, so that of two imports at once the second finds it filled. False when it has apps already. */
export async function lockEmptyWorkspace(tx: Tx, workspaceId: number): Promise<boolean> {
  await sql`select from workspaces where id = ${workspaceId} for update`.execute(tx);
  const { rows } = await sql<{ filled: boolean }>`select exists (select from apps where workspace_id = ${workspaceId}) as filled`.execute(tx);
  return !rows[0]!.filled;
}

/** The listing of a store's id; a new one has no name before it was read. */
export async function findOrInsertListing(tx: Tx, store: StoreName, storeAppId: string): Promise<number> {
  await sql`insert into listings (store, store_app_id) values (${store}, ${storeAppId}) on conflict (store, store_app_id) do nothing`.execute(tx);
  const { rows } = await sql<{ id: number }>`select id from listings where store = ${store} and store_app_id = ${storeAppId}`.execute(tx);
  return rows[0]!.id;
}

export async function insertTagStyle(tx: Tx, workspaceId: number, style: { name: string; color: string | null }): Promise<void> {
  await sql`
    insert into tag_styles (workspace_id, name, color) values (${workspaceId}, ${style.name}, ${style.color})
    on conflict (workspace_id, name) do update set color = excluded.color`.execute(tx);
}

/** What keywords carry besides being followed. */
export async function updateKeywordMarks(
  tx: Tx,
  workspaceId: number,
  marks: { id: number; note: string | null; favorite: boolean }[],
): Promise<void> {
  await sql`
    update keywords k set note = n.note, favorite = n.favorite
    from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb) as n(id int, note text, favorite boolean)
    where k.workspace_id = ${workspaceId} and k.id = n.id`.execute(tx);
}

export async function upsertImportPart(tx: Tx, workspaceId: number, part: { number: number; data: Buffer; now: Date }): Promise<void> {
  await sql`
    insert into import_parts (workspace_id, number, data, stored_at) values (${workspaceId}, ${part.number}, ${part.data}, ${part.now})
    on conflict (workspace_id, number) do update set data = excluded.data, stored_at = excluded.stored_at`.execute(tx);
}

export async function findImportPart(tx: Tx, workspaceId: number, number: number): Promise<Buffer | undefined> {
  const { rows } = await sql<{ data: Buffer }>`
    select data from import_parts where workspace_id = ${workspaceId} and number = ${number}`.execute(tx);
  return rows[0]?.data;
}

/** How many of the parts 1 to `parts` are there. */
export async function countImportParts(tx: Tx, workspaceId: number, parts: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from import_parts where workspace_id = ${workspaceId} and number <= ${parts}`.execute(tx);
  return rows[0]!.count;
}

export async function deleteImportParts(tx: Tx, workspaceId: number): Promise<void> {
  await sql`delete from import_parts where workspace_id = ${workspaceId}`.execute(tx);
}

/** Of all workspaces; for the system role. */
export async function deleteOldImportParts(db: Db, before: Date): Promise<void> {
  await sql`delete from import_parts where stored_at < ${before}`.execute(db);
}

/** The import of a job; the one there is when the job was asked for before. */
export async function upsertImport(tx: Tx, workspaceId: number, given: { jobId: number; parts: number; now: Date }): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into imports (workspace_id, job_id, parts, created_at) values (${workspaceId}, ${given.jobId}, ${given.parts}, ${given.now})
    on conflict (job_id) do update set job_id = excluded.job_id returning id::float8 as id`.execute(tx);
  return rows[0]!.id;
}

export interface ImportRow {
  id: number;
  parts: number;
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'shed';
  createdAt: Date;
  report: unknown;
  refusal: unknown;
}

export async function findImport(tx: Tx, workspaceId: number, by: { id: number } | { jobId: number }): Promise<ImportRow | undefined> {
  const isIt = 'id' in by ? sql`i.id = ${by.id}` : sql`i.job_id = ${by.jobId}`;
  const { rows } = await sql<ImportRow>`
    select i.id::float8 as id, i.parts, j.state, i.created_at as "createdAt", i.report, i.refusal from imports i join jobs j on j.id = i.job_id
    where i.workspace_id = ${workspaceId} and j.workspace_id = ${workspaceId} and ${isIt}`.execute(tx);
  return rows[0];
}

export async function updateImport(
  tx: Tx,
  workspaceId: number,
  id: number,
  end: { report: object; refusal: null } | { report: null; refusal: object },
): Promise<void> {
  const [report, refusal] = [end.report && JSON.stringify(end.report), end.refusal && JSON.stringify(end.refusal)];
  await sql`
    update imports set report = ${report}::jsonb, refusal = ${refusal}::jsonb
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}
