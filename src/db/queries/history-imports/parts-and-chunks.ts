import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { mayRunAgain } from '../jobs/background-jobs.ts';

export async function upsertHistoryPart(
  tx: Tx,
  workspaceId: number,
  part: { importId: number; number: number; bytes: number; data: Buffer; now: Date },
): Promise<void> {
  await sql`/* upsert-history-part */
    insert into history_import_parts (workspace_id, import_id, number, bytes, data, stored_at)
      values (${workspaceId}, ${part.importId}, ${part.number}, ${part.bytes}, ${part.data},
        ${part.now})
    on conflict (import_id, number) do update
      set bytes = excluded.bytes, data = excluded.data,
        stored_at = excluded.stored_at`.execute(tx);
}

/** The sizes of the parts 1 to `parts`, in their order. */
export async function listHistoryParts(
  tx: Db | Tx,
  workspaceId: number,
  importId: number,
  parts: number,
): Promise<{ number: number; bytes: number }[]> {
  const { rows } = await sql<Row<'list-history-parts'>>`/* list-history-parts */
    select number, bytes from history_import_parts
    where workspace_id = ${workspaceId} and import_id = ${importId} and number <= ${parts}
    order by number`.execute(tx);
  return rows;
}

export async function findHistoryPart(
  db: Db | Tx,
  workspaceId: number,
  importId: number,
  number: number,
): Promise<Buffer | undefined> {
  const { rows } = await sql<Row<'find-history-part'>>`/* find-history-part */
    select data from history_import_parts
    where workspace_id = ${workspaceId} and import_id = ${importId}
      and number = ${number}`.execute(db);
  return rows[0]?.data;
}

export async function hasHistoryParts(
  tx: Tx,
  workspaceId: number,
  importId: number,
): Promise<boolean> {
  const { rows } = await sql<Row<'has-history-parts'>>`/* has-history-parts */
    select exists (select from history_import_parts
      where workspace_id = ${workspaceId} and import_id = ${importId}) as has`.execute(tx);
  return rows[0]!.has;
}

/**
 * Deletes the files of all imports but the newest `keep` that have one, until no other file of the
 * workspace can be added. Files in progress are kept first. Returns how many are left.
 */
export async function deleteSurplusHistoryParts(
  tx: Tx,
  workspaceId: number,
  keep: number,
): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('history'), ${workspaceId}::int)`.execute(tx);
  const { rows } = await sql<Row<'delete-surplus-history-parts'>>`/* delete-surplus-history-parts */
    with files as (
      select f.import_id, exists (
        select from history_imports i join jobs j on j.id = i.job_id
        where i.id = f.import_id and j.state in ('queued', 'running')) as in_progress
      from (select distinct import_id from history_import_parts
        where workspace_id = ${workspaceId}) f
    ), numbered as (
      select import_id, in_progress,
        row_number() over (order by in_progress desc, import_id desc) > ${keep} as is_surplus
      from files
    ), deleted as (
      delete from history_import_parts p using numbered n
      where p.workspace_id = ${workspaceId} and p.import_id = n.import_id
        and n.is_surplus and not n.in_progress
    )
    select count(*) filter (where in_progress or not is_surplus)::int as files
    from numbered`.execute(tx);
  return rows[0]!.files;
}

export async function deleteHistoryParts(
  tx: Db | Tx,
  workspaceId: number,
  importId: number,
): Promise<void> {
  await sql`/* delete-history-parts */
    delete from history_import_parts
    where workspace_id = ${workspaceId} and import_id = ${importId}`.execute(tx);
}

/** In all workspaces, except files that are being read or may be again; for the system role. */
export async function deleteOldHistoryParts(
  db: Db,
  { before, retriedAfter }: { before: Date; retriedAfter: Date },
): Promise<void> {
  await sql`/* delete-old-history-parts */
    delete from history_import_parts p where stored_at < ${before} and not exists (
      select from history_imports i join jobs j on j.id = i.job_id
      where i.id = p.import_id and ${mayRunAgain(retriedAfter)})`.execute(db);
}

export interface HistoryOutcomes {
  written: number;
  known: number;
  refused: number;
}

export async function insertHistoryChunk(
  tx: Db | Tx,
  workspaceId: number,
  chunk: { importId: number; number: number; outcomes: HistoryOutcomes; data: Buffer },
): Promise<void> {
  await sql`/* insert-history-chunk */
    insert into history_import_chunks (workspace_id, import_id, number, outcomes, data)
    values (${workspaceId}, ${chunk.importId}, ${chunk.number},
      ${JSON.stringify(chunk.outcomes)}::jsonb, ${chunk.data})`.execute(tx);
}

export async function updateHistoryChunk(
  tx: Tx,
  workspaceId: number,
  chunk: { importId: number; number: number; outcomes: HistoryOutcomes; data: Buffer },
): Promise<void> {
  await sql`/* update-history-chunk */
    update history_import_chunks set outcomes = ${JSON.stringify(chunk.outcomes)}::jsonb,
      data = ${chunk.data}, imported = true
    where workspace_id = ${workspaceId} and import_id = ${chunk.importId}
      and number = ${chunk.number}`.execute(tx);
}

/** The chunks of an import from a number on, without their rows. */
export async function listHistoryChunks(
  tx: Db | Tx,
  workspaceId: number,
  importId: number,
  from: number,
): Promise<{ number: number; outcomes: unknown; imported: boolean }[]> {
  const { rows } = await sql<Row<'list-history-chunks'>>`/* list-history-chunks */
    select number, outcomes, imported from history_import_chunks
    where workspace_id = ${workspaceId} and import_id = ${importId} and number >= ${from}
    order by number`.execute(tx);
  return rows;
}

export async function findHistoryChunk(
  tx: Db | Tx,
  workspaceId: number,
  importId: number,
  number: number,
): Promise<{ data: Buffer; imported: boolean } | undefined> {
  const { rows } = await sql<Row<'find-history-chunk'>>`/* find-history-chunk */
    select data, imported from history_import_chunks
    where workspace_id = ${workspaceId} and import_id = ${importId}
      and number = ${number}`.execute(tx);
  return rows[0];
}

/** Locks a chunk against another attempt of its run; true when one has imported it. */
export async function lockHistoryChunk(
  tx: Tx,
  workspaceId: number,
  importId: number,
  number: number,
): Promise<boolean | undefined> {
  const { rows } = await sql<Row<'lock-history-chunk'>>`/* lock-history-chunk */
    select imported from history_import_chunks
    where workspace_id = ${workspaceId} and import_id = ${importId}
      and number = ${number} for update`.execute(tx);
  return rows[0]?.imported;
}

export async function deleteHistoryChunks(
  tx: Db | Tx,
  workspaceId: number,
  importId: number,
): Promise<void> {
  await sql`/* delete-history-chunks */
    delete from history_import_chunks
    where workspace_id = ${workspaceId} and import_id = ${importId}`.execute(tx);
}

/** Lists the given days of keywords that were imported before, as `keyword day`. */
export async function listKnownDays(
  tx: Db | Tx,
  workspaceId: number,
  days: readonly { keywordId: number; date: string }[],
): Promise<Set<string>> {
  const { rows } = await sql<Row<'list-known-days'>>`/* list-known-days */
    select r.keyword_id as "keywordId", r.on_date as date
    from unnest(${days.map(({ keywordId }) => keywordId)}::int[],
      ${days.map(({ date }) => date)}::date[]) as d(keyword_id, on_date)
    join imported_daily_ranks r on r.workspace_id = ${workspaceId}
      and r.keyword_id = d.keyword_id and r.on_date = d.on_date`.execute(tx);
  return new Set(rows.map(({ keywordId, date }) => `${keywordId} ${date}`));
}
