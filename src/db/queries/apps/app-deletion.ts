import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** Each may have imported positions of ten years, and a statement has ten seconds. */
const keywordsAtOnce = 100;
/** Of an app that is deleted in steps, between which the scheduler has other work. */
const keywordsPerStep = 25;
const daysPerStep = 1_000;

/**
 * Deletes the app with its keywords and jobs, and returns its markets. Shared facts of the stores
 * stay.
 */
export async function deleteApp(tx: Tx, workspaceId: number, appId: number): Promise<number[]> {
  const marketIds: number[] = [];
  for (;;) {
    const deleted = await deleteKeywordsOfApp(tx, workspaceId, appId);
    // The retention of keywords may delete some of a batch first, so that it is not a full one.
    if (deleted.length === 0) break;
    marketIds.push(...deleted);
  }
  await tx
    .deleteFrom('apps')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', appId)
    .execute();
  return marketIds;
}

async function deleteKeywordsOfApp(tx: Tx, workspaceId: number, appId: number): Promise<number[]> {
  const { rows } = await sql<Row<'delete-keywords-of-app'>>`/* delete-keywords-of-app */
    delete from keywords where workspace_id = ${workspaceId} and id = any(array(
      select id from keywords where workspace_id = ${workspaceId} and app_id = ${appId}
      limit ${keywordsAtOnce}))
    returning market_id as "marketId"`.execute(tx);
  return rows.map(({ marketId }) => marketId);
}

/**
 * An archived app of any workspace whose retention is over, locked; for the system role. From here
 * on it stays due: no clock that is set back lets an app be restored of which rows are missing.
 */
export async function takeAppToPurge(
  tx: Tx,
  now: Date,
): Promise<{ workspaceId: number; id: number } | undefined> {
  const { rows } = await sql<Row<'take-app-to-purge'>>`/* take-app-to-purge */
    update apps set purge_at = least(purge_at, archived_at)
    where id = (select id from apps where purge_at <= ${now}
      order by id limit 1 for update skip locked)
    returning workspace_id as "workspaceId", id`.execute(tx);
  return rows[0];
}

/** Deletes some of the app's imported days, and returns how many. */
export async function deleteFactsOfApp(tx: Tx, appId: number): Promise<number> {
  const { numAffectedRows } = await sql`/* delete-facts-of-app */
    delete from imported_facts where ctid = any(array(select ctid from imported_facts
      where app_id = ${appId} limit ${daysPerStep} for update))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/**
 * Deletes some of the app's keywords, and returns their markets, which are locked first and in
 * order.
 */
export async function deleteSomeKeywords(tx: Tx, appId: number): Promise<number[]> {
  const { rows } = await sql<Row<'keywords-to-delete'>>`/* keywords-to-delete */
    select id, market_id as "marketId" from keywords where app_id = ${appId}
    order by market_id limit ${keywordsPerStep}`.execute(tx);
  const marketIds = rows.map((row) => row.marketId);
  await sql`
    select from market_schedule where market_id = any(${marketIds}::int[])
    order by market_id for update`.execute(tx);
  await sql`delete from keywords where id = any(${rows.map((row) => row.id)}::int[])`.execute(tx);
  return marketIds;
}
