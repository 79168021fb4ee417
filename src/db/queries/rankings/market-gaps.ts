import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** A position that another provider reported on a day without a check. */
export interface StoredFallback {
  marketId: number;
  date: string;
  provider: string;
  depth: number;
  checkedAt: Date;
  /** The listings that were tracked then, and in the same order their positions. */
  listingIds: number[];
  positions: (number | null)[];
}

/** Fallbacks of markets on days from `from` to `to`. */
export async function listFallbackChecks(
  tx: Tx,
  range: { marketIds: number[]; from: string; to: string },
): Promise<StoredFallback[]> {
  const { rows } = await sql<Row<'fallback-checks', StoredFallback>>`/* fallback-checks */
    select market_id as "marketId", on_date as date, provider, depth, checked_at as "checkedAt",
      listing_ids as "listingIds", positions
    from fallback_checks where market_id = any(${range.marketIds}::int[])
      and on_date between ${range.from}::date and ${range.to}::date`.execute(tx);
  return rows;
}

export interface MarketGap {
  marketId: number;
  date: string;
  reason: 'shed' | 'store_error' | 'over_quota' | 'not_yet_run' | 'not_served';
}

/** Reasons why markets have no result on days from `from` to `to`. */
export async function listMarketGaps(
  tx: Tx,
  range: { marketIds: number[]; from: string; to: string },
): Promise<MarketGap[]> {
  const { rows } = await sql<Row<'market-gaps', MarketGap, 'reason'>>`/* market-gaps */
    select market_id as "marketId", on_date as date, reason from market_gaps
    where market_id = any(${range.marketIds}::int[]) and on_date between ${range.from}::date
      and ${range.to}::date`.execute(tx);
  return rows;
}
