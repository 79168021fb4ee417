import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';

/** What is asked of the shared schedules follows the apps: to be called in the transaction that changed them. */
export async function refreshDemand(tx: Tx, changed: { listingIds: number[]; marketIds: number[] }): Promise<void> {
  if (changed.marketIds.length > 0) await sql`select refresh_market_demand(${changed.marketIds})`.execute(tx);
  await sql`select refresh_listing_demand(${changed.listingIds})`.execute(tx);
}
