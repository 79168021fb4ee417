import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { mayRunAgain } from '../jobs/background-jobs.ts';

/** Serializes imports into the same workspace; other workspaces do not wait. */
export async function lockImports(tx: Tx, workspaceId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('imports'), ${workspaceId}::int)`.execute(tx);
}

/**
 * Applies to the rest of the transaction: statistics do not include the rows that it wrote, so the
 * planner would choose nested loops for what it takes to be few rows.
 */
export async function disableNestedLoops(tx: Tx): Promise<void> {
  await sql`set local enable_nestloop = off`.execute(tx);
}

/**
 * Updates the planner's statistics after an import; autovacuum may have counted while its rows were
 * not committed yet. For the system role.
 */
export async function analyzeRestored(systemDb: Db): Promise<void> {
  await sql`analyze apps, keywords, competitors`.execute(systemDb);
}

/** Existing rows that would conflict with an import; undefined for an empty workspace. */
export async function findOwnRows(
  tx: Tx,
  workspaceId: number,
): Promise<'apps' | 'webhooks' | 'actions' | undefined> {
  const { rows } = await sql<
    Row<'find-own-rows', { name: 'apps' | 'webhooks' | 'actions' }, 'name'>
  >`
    select name from (
      select 'apps' as name where exists (select from apps where workspace_id = ${workspaceId})
      union all select 'webhooks' where exists (select from webhooks
        where workspace_id = ${workspaceId})
      union all select 'actions' where exists (select from actions
        where workspace_id = ${workspaceId})
    ) as there limit 1`.execute(tx);
  return rows[0]?.name;
}

export interface KnownImport {
  report: unknown;
  /** The last app whose tracking was resumed; null: all of them. */
  followedTo: number | null;
  asPublicFacts: boolean;
}

/** The last import of this workspace, if it was of this file. */
export async function findImportOf(
  tx: Tx,
  workspaceId: number,
  sha256: string,
): Promise<KnownImport | undefined> {
  const { rows } = await sql<Row<'find-import-of', KnownImport & { sha256: string }, 'sha256'>>`
    select sha256, report, followed_to as "followedTo", as_public_facts as "asPublicFacts"
    from imports
      where workspace_id = ${workspaceId} and sha256 is not null
    order by id desc limit 1`.execute(tx);
  return rows[0]?.sha256 === sha256 ? rows[0] : undefined;
}

export async function insertTagStyle(
  tx: Tx,
  workspaceId: number,
  style: { name: string; color: string | null },
): Promise<void> {
  await sql`
    insert into tag_styles (workspace_id, name, color)
      values (${workspaceId}, ${style.name}, ${style.color})
    on conflict (workspace_id, name) do update set color = excluded.color`.execute(tx);
}

export async function upsertImportPart(
  tx: Tx,
  workspaceId: number,
  part: { number: number; data: Buffer; now: Date },
): Promise<void> {
  await sql`
    insert into import_parts (workspace_id, number, data, stored_at)
      values (${workspaceId}, ${part.number}, ${part.data}, ${part.now})
    on conflict (workspace_id, number) do update
      set data = excluded.data, stored_at = excluded.stored_at`.execute(tx);
}

/** True while the parts are being imported. */
export async function hasOpenImport(tx: Tx, workspaceId: number): Promise<boolean> {
  const { rows } = await sql<Row<'has-open-import'>>`
    select exists (select from jobs where workspace_id = ${workspaceId} and kind = 'import'
      and state in ('queued', 'running')) as open`.execute(tx);
  return rows[0]!.open;
}

export async function findImportPart(
  tx: Tx,
  workspaceId: number,
  number: number,
): Promise<Buffer | undefined> {
  const { rows } = await sql<Row<'find-import-part'>>`
    select data from import_parts
    where workspace_id = ${workspaceId} and number = ${number}`.execute(tx);
  return rows[0]?.data;
}

/** The stored bytes of all parts but one. */
export async function countImportBytes(
  tx: Tx,
  workspaceId: number,
  { except }: { except: number },
): Promise<number> {
  const { rows } = await sql<Row<'count-import-bytes'>>`
    select coalesce(sum(octet_length(data)), 0)::float8 as bytes from import_parts
      where workspace_id = ${workspaceId} and number <> ${except}`.execute(tx);
  return rows[0]!.bytes;
}

/** Counts how many of the parts 1 to `parts` were uploaded. */
export async function countImportParts(
  tx: Tx,
  workspaceId: number,
  parts: number,
): Promise<number> {
  const { rows } = await sql<Row<'count-import-parts'>>`
    select count(*)::int as count from import_parts
      where workspace_id = ${workspaceId} and number <= ${parts}`.execute(tx);
  return rows[0]!.count;
}

export async function deleteImportParts(tx: Tx, workspaceId: number): Promise<void> {
  await sql`delete from import_parts where workspace_id = ${workspaceId}`.execute(tx);
}

/** In all workspaces, except parts of an import that may run again; for the system role. */
export async function deleteOldImportParts(
  db: Db,
  { before, retriedAfter }: { before: Date; retriedAfter: Date },
): Promise<void> {
  await sql`
    delete from import_parts p where stored_at < ${before} and not exists (
      select from jobs j where j.workspace_id = p.workspace_id and j.kind = 'import'
        and ${mayRunAgain(retriedAfter)})`.execute(db);
}

/** Records an import that was completed within its request. */
export async function insertImport(
  tx: Tx,
  workspaceId: number,
  done: { sha256: string; report: object; now: Date },
): Promise<void> {
  await sql`
    insert into imports (workspace_id, parts, sha256, created_at, report)
    values (${workspaceId}, 0, ${done.sha256}, ${done.now},
      ${JSON.stringify(done.report)}::jsonb)`.execute(tx);
}

/** Inserts the import of a job, or returns the one that exists. */
export async function upsertImport(
  tx: Tx,
  workspaceId: number,
  given: { jobId: number; parts: number; asPublicFacts: boolean; now: Date },
): Promise<{ id: number; asPublicFacts: boolean }> {
  const { rows } = await sql<Row<'upsert-import'>>`
    insert into imports (workspace_id, job_id, parts, as_public_facts, created_at)
      values (${workspaceId}, ${given.jobId}, ${given.parts}, ${given.asPublicFacts}, ${given.now})
    on conflict (job_id) do update set job_id = excluded.job_id
    returning id::float8 as id, as_public_facts as "asPublicFacts"`.execute(tx);
  return rows[0]!;
}

export interface ImportRow {
  id: number;
  parts: number;
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'shed';
  createdAt: Date;
  report: unknown;
  followedTo: number | null;
  asPublicFacts: boolean;
  refusal: unknown;
}

export async function findImport(
  tx: Tx,
  workspaceId: number,
  by: { id: number } | { jobId: number },
): Promise<ImportRow | undefined> {
  const isIt = 'id' in by ? sql`i.id = ${by.id}` : sql`i.job_id = ${by.jobId}`;
  const { rows } = await sql<Row<'find-import', ImportRow, 'state'>>`
    select i.id::float8 as id, i.parts, coalesce(j.state, 'succeeded') as state,
      i.created_at as "createdAt", i.report,
      i.followed_to as "followedTo", i.as_public_facts as "asPublicFacts", i.refusal
    from imports i left join jobs j on j.workspace_id = ${workspaceId} and j.id = i.job_id
    where i.workspace_id = ${workspaceId} and ${isIt}`.execute(tx);
  return rows[0];
}

export async function updateImport(
  tx: Tx,
  workspaceId: number,
  id: number,
  end:
    | { report: object; sha256: string; followedTo: number | null; refusal: null }
    | { report: null; sha256: null; followedTo: null; refusal: object },
): Promise<void> {
  const [report, refusal] = [
    end.report && JSON.stringify(end.report),
    end.refusal && JSON.stringify(end.refusal),
  ];
  await sql`
    update imports set report = ${report}::jsonb, sha256 = ${end.sha256},
      followed_to = ${end.followedTo}, refusal = ${refusal}::jsonb
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export async function updateFollowedTo(
  tx: Tx,
  workspaceId: number,
  id: number,
  appId: number | null,
): Promise<void> {
  await sql`
    update imports set followed_to = ${appId}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}
