import { sql } from 'kysely';
import type { Tx } from '../database.ts';

/**
 * A month of many keywords in one piece. Each record: listing id (4 bytes), market id (4), the listing's cells (31),
 * the market's days (124). One row a month instead of one a keyword spares the driver thousands of values.
 */
export interface PackedMonth {
  month: string;
  records: Buffer;
}

/** The months of listings in markets; combinations that were never written are simply not there. */
export async function listPackedMonths(
  tx: Tx,
  input: { listingIds: number[]; marketIds: number[]; months: string[] },
): Promise<PackedMonth[]> {
  const { rows } = await sql<PackedMonth>`/* packed-months */
    select r.month, string_agg(int4send(r.listing_id) || int4send(r.market_id) || r.cells || m.days, ''::bytea) as records
    from rank_months r join market_months m on m.market_id = r.market_id and m.month = r.month
    where r.listing_id = any(${input.listingIds}::int[]) and r.month = any(${input.months}::date[])
      and r.market_id = any(${input.marketIds}::int[])
    group by r.month`.execute(tx);
  return rows;
}
