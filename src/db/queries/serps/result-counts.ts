import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface ResultCount {
  marketId: number;
  date: string;
  resultCount: number;
}

/**
 * The number of results on days on which the store had fewer than the requested depth. Other days,
 * and days whose results are no longer stored, are omitted.
 */
export async function listShortResultCounts(
  tx: Tx,
  spots: readonly { marketId: number; date: string }[],
): Promise<ResultCount[]> {
  if (spots.length === 0) return [];
  const { rows } = await sql<
    Row<'short-result-counts', ResultCount, 'date' | 'resultCount'>
  >`/* short-result-counts */
    with requested as (
      select * from unnest(${spots.map(({ marketId }) => marketId)}::int[],
        ${spots.map(({ date }) => date)}::date[]) as r(market_id, on_date)
    )
    select p.market_id as "marketId", p.on_date as date, p.result_count as "resultCount"
    from requested r join serps p on p.market_id = r.market_id and p.on_date = r.on_date
    where p.ended = 'exhausted' and p.result_count < p.depth
    union
    select m.market_id, r.on_date, m.short_counts[bit_count((m.short_days
      & ~(-1 << extract(day from r.on_date)::int))::bit(32))::int]
    from requested r join serp_months m on m.market_id = r.market_id
      and m.month = r.on_date - extract(day from r.on_date)::int + 1
    where m.short_days & (1 << extract(day from r.on_date)::int - 1) <> 0
    union
    select p.market_id, p.on_date, p.result_count
    from requested r join last_serps p on p.market_id = r.market_id and p.on_date = r.on_date
    where p.ended = 'exhausted' and p.result_count < p.depth`.execute(tx);
  return rows;
}

/** The same for the newest check of keywords whose app was not found, by keyword. */
export async function listShortLatestResults(
  tx: Tx,
  workspaceId: number,
  keywordIds: readonly number[],
): Promise<{ keywordId: number; resultCount: number }[]> {
  if (keywordIds.length === 0) return [];
  const { rows } = await sql<Row<'short-latest-results'>>`/* short-latest-results */
    select k.id as "keywordId", p.result_count as "resultCount"
    from keywords k join last_serps p on p.market_id = k.market_id and p.on_date = k.latest_on
    where k.workspace_id = ${workspaceId} and k.id = any(${[...keywordIds]}::int[])
      and k.latest_position is null and p.ended = 'exhausted'
      and p.result_count < k.latest_depth`.execute(tx);
  return rows;
}
