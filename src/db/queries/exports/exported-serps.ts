import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { SerpRow } from '../serps/serps.ts';

/** The stored results of a market from `from` to `to`, newest first, at most `limit`. */
export async function listSerps(
  tx: Tx,
  range: { marketId: number; from: string; to: string; limit: number },
): Promise<SerpRow[]> {
  const { rows } = await sql<Row<'serps-of-market', SerpRow, 'ended'>>`/* serps-of-market */
    select on_date as date, depth, result_count as "resultCount", ended, provider, ids,
      strengths, ads, language
    from serps where market_id = ${range.marketId} and on_date between ${range.from}::date
      and ${range.to}::date
    order by on_date desc limit ${range.limit}`.execute(tx);
  return rows;
}
