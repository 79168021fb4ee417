import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface MarketGap {
  marketId: number;
  date: string;
  reason: 'shed' | 'store_error' | 'over_quota' | 'not_yet_run';
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
