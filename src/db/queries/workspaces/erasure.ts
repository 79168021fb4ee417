import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

// A statement that erases all rows of a large workspace would take longer than a statement may, and
// hold its locks meanwhile. These erase some thousand rows each and return how many.

const rowsAtOnce = 5_000;
const keywordsAtOnce = 500;

/** Tables in which one workspace may have millions of rows. */
export const largeTables = [
  'imported_daily_ranks',
  'imported_facts',
  'deliveries',
  'events',
] as const;
type LargeTable = (typeof largeTables)[number];

/**
 * Workspaces whose deletion is due: those after an id first, then the others. Without `paying`
 * those that the payment provider knows are omitted.
 */
export async function listWorkspacesToPurge(
  db: Db,
  now: Date,
  { after, limit, paying }: { after: number; limit: number; paying: boolean },
): Promise<number[]> {
  const { rows } = await sql<Row<'list-workspaces-to-purge'>>`
    select id from workspaces where delete_at <= ${now}
      and (${paying} or payment_customer is null)
    order by id <= ${after}, id limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/** Whether one transaction would erase it too slowly. */
export async function isLargeWorkspace(db: Db, workspaceId: number): Promise<boolean> {
  const { rows } = await sql<Row<'is-large-workspace'>>`
    select exists (select from imported_daily_ranks
        where workspace_id = ${workspaceId} offset ${rowsAtOnce})
      or exists (select from imported_facts where workspace_id = ${workspaceId}
        offset ${rowsAtOnce})
      or exists (select from deliveries where workspace_id = ${workspaceId} offset ${rowsAtOnce})
      or exists (select from events where workspace_id = ${workspaceId} offset ${rowsAtOnce})
      or exists (select from keywords where workspace_id = ${workspaceId}
        offset ${keywordsAtOnce}) as "isLarge"`.execute(db);
  return rows[0]!.isLarge;
}

/**
 * Makes the deletion final: no clock that is set back lets a workspace be restored of which rows
 * are missing. False when it is not due, or is gone.
 */
export async function beginErasure(tx: Tx, workspaceId: number, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update workspaces set delete_at = least(delete_at, created_at)
    where id = ${workspaceId} and delete_at <= ${now} returning 1`.execute(tx);
  return rows.length > 0;
}

/** Rows that somebody is changing are skipped, and are erased with the workspace. */
export async function eraseRows(tx: Tx, workspaceId: number, table: LargeTable): Promise<number> {
  const { numAffectedRows } = await deletions[table](workspaceId).execute(tx);
  return Number(numAffectedRows ?? 0);
}

const deletions: Record<LargeTable, (workspaceId: number) => RawBuilder<unknown>> = {
  imported_daily_ranks: (workspaceId) => sql`/* erase-imported-ranks */
    delete from imported_daily_ranks where ctid = any(array(select ctid from imported_daily_ranks
      where workspace_id = ${workspaceId} limit ${rowsAtOnce} for update skip locked))`,
  imported_facts: (workspaceId) => sql`/* erase-imported-facts */
    delete from imported_facts where ctid = any(array(select ctid from imported_facts
      where workspace_id = ${workspaceId} limit ${rowsAtOnce} for update skip locked))`,
  deliveries: (workspaceId) => sql`/* erase-deliveries */
    delete from deliveries where ctid = any(array(select ctid from deliveries
      where workspace_id = ${workspaceId} limit ${rowsAtOnce} for update skip locked))`,
  events: (workspaceId) => sql`/* erase-events */
    delete from events where ctid = any(array(select ctid from events
      where workspace_id = ${workspaceId} limit ${rowsAtOnce} for update skip locked))`,
};

/** Returns the markets of the erased keywords. They are locked first and in order. */
export async function eraseKeywords(tx: Tx, workspaceId: number): Promise<number[]> {
  const { rows } = await sql<Row<'markets-to-erase'>>`/* markets-to-erase */
    select distinct market_id as id from keywords where workspace_id = ${workspaceId}
    order by 1 limit ${keywordsAtOnce}`.execute(tx);
  const marketIds = rows.map((row) => row.id);
  await sql`
    select from market_schedule where market_id = any(${marketIds}::int[])
    order by market_id for update`.execute(tx);
  await sql`
    delete from keywords where workspace_id = ${workspaceId}
      and market_id = any(${marketIds}::int[])`.execute(tx);
  return marketIds;
}
