import { sql } from 'kysely';
import type { StoreName } from '../../lib/store-name.ts';
import type { Tx } from '../database.ts';
import type { MarketCounts } from './run-list.ts';

/** How the workspace's markets of a country met a day. */
export interface MarketCountryCounts extends MarketCounts {
  store: StoreName;
  country: string;
}

/** One day of `listMarketDayCounts` by store and country: the same markets, by the same terms. */
export async function listMarketCountryCounts(tx: Tx, workspaceId: number, day: string): Promise<MarketCountryCounts[]> {
  const { rows } = await sql<MarketCountryCounts>`
    with kept as (
      select k.market_id, k.archived_at is null as live, (
        select (t.term->>1)::int from jsonb_array_elements(k.terms) with ordinality as t(term, ordinal)
        where (t.term->>0)::date <= ${day}::date order by t.ordinal desc limit 1
      ) as depth
      from keywords k join apps a on a.id = k.app_id
      where k.workspace_id = ${workspaceId} and ${day}::date < coalesce((a.archived_at at time zone 'UTC')::date, 'infinity')
    ), markets_of_day as (
      select market_id, bool_or(depth > 0) as planned, bool_or(depth = 0 and live) as paused from kept where depth is not null group by market_id
    ), met as (
      select m.store, m.country, d.planned, d.paused, g.reason,
        coalesce(get_byte(mm.days, (extract(day from ${day}::date)::int - 1) * 4), 0) > 0 as checked
      from markets_of_day d join markets m on m.id = d.market_id
      left join market_months mm on mm.market_id = d.market_id and mm.month = date_trunc('month', ${day}::timestamp)::date
      left join market_gaps g on g.market_id = d.market_id and g.on_date = ${day}::date
      where d.planned or d.paused
    )
    select store, country,
      count(*) filter (where planned)::int as planned,
      count(*) filter (where planned and checked)::int as done,
      count(*) filter (where planned and not checked and reason = 'shed')::int as shed,
      count(*) filter (where planned and not checked and reason = 'store_error')::int as "storeError",
      count(*) filter (where planned and not checked and reason = 'over_quota')::int as "overQuota",
      count(*) filter (where planned and not checked and reason = 'not_yet_run')::int as "notYetRun",
      count(*) filter (where paused and not planned)::int as paused
    from met group by store, country order by store, country`.execute(tx);
  return rows;
}
