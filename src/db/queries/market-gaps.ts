import { sql } from 'kysely';
import type { Tx } from '../database.ts';

export interface MarketGap {
  marketId: number;
  date: string;
  reason: 'shed' | 'store_error' | 'over_quota' | 'not_yet_run';
}

/** Why markets have no row on days from `from` to `to`. */
export async function listMarketGaps(
  tx: Tx,
  range: { marketIds: number[]; from: string; to: string },
): Promise<MarketGap[]> {
  const { rows } = await sql<MarketGap>`/* market-gaps */
    select market_id as "marketId", on_date as date, reason from market_gaps
    where market_id = any(${range.marketIds}::int[]) and on_date between ${range.from}::date and ${range.to}::date`.execute(
    tx,
  );
  return rows;
}
