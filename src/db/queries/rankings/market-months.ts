import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/**
 * A month of many markets in one piece: market ids of four bytes each, and in the same order 31
 * days of four bytes each.
 */
export interface MarketMonths {
  month: string;
  marketIds: Buffer;
  days: Buffer;
}

export async function listMarketMonths(
  tx: Tx,
  input: { marketIds: number[]; months: string[] },
): Promise<MarketMonths[]> {
  const { rows } = await sql<
    Row<'market-months', MarketMonths, 'marketIds' | 'days'>
  >`/* market-months */
    select month, string_agg(int4send(market_id), ''::bytea) as "marketIds",
      string_agg(days, ''::bytea) as days
    from market_months where month = any(${input.months}::date[])
      and market_id = any(${input.marketIds}::int[])
    group by month`.execute(tx);
  return rows;
}
