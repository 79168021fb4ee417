import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface OverviewKeyword {
  id: number;
  listingId: number;
  marketId: number;
  trackingPeriods: unknown;
  latestOn: string | null;
  latestPosition: number | null;
  latestAt: Date | null;
}

/** The tracked keywords of an app, each with its newest daily rank. */
export async function listOverviewKeywords(
  tx: Tx,
  workspaceId: number,
  filter: { appId: number; country: string | null; device: string | null },
): Promise<OverviewKeyword[]> {
  const { rows } = await sql<Row<'overview-keywords', OverviewKeyword>>`/* overview-keywords */
    select k.id, a.listing_id as "listingId", k.market_id as "marketId",
      k.tracking_periods as "trackingPeriods", k.latest_on as "latestOn",
      k.latest_position as "latestPosition", k.latest_at as "latestAt"
    from keywords k join apps a on a.id = k.app_id
    where k.workspace_id = ${workspaceId} and k.app_id = ${filter.appId} and k.archived_at is null
      and not k.paused
      and (${filter.country}::text is null or k.country = ${filter.country})
      and (${filter.device}::text is null or k.device = ${filter.device})`.execute(tx);
  return rows;
}

export interface AppMarketRow {
  country: string;
  devices: string[];
  keywords: number;
  ranked: number;
  best: number | null;
  searchesPerDay: number;
  requestsPerDay: number;
  firstDay: string;
}

/** True for a keyword `k` of an app `a` that the daily run searches for. */
const isSearched = sql`(not k.paused and not k.held and a.archived_at is null)`;

/**
 * The countries of an app's keywords. A search costs what the market usually takes, once this
 * workspace has seen a result, and at most what the keyword's own depth would cost. That hides
 * whether others track the market, or track it deeper.
 */
export async function listAppMarkets(
  tx: Tx,
  workspaceId: number,
  appId: number,
  rankedSince: string,
): Promise<AppMarketRow[]> {
  const { rows } = await sql<Row<'app-markets', AppMarketRow, 'firstDay'>>`/* app-markets */
    select k.country, coalesce(array_agg(distinct k.device), '{}') as devices,
      count(*)::int as keywords,
      (count(k.latest_position) filter (where not k.paused
        and k.latest_on >= ${rankedSince}::date))::int as ranked,
      min(k.latest_position) filter (where not k.paused
        and k.latest_on >= ${rankedSince}::date) as best,
      (count(*) filter (where ${isSearched}))::int as "searchesPerDay",
      coalesce(sum(case when has_single_page(stores) then 1 else least(
          case when k.latest_at > k.created_at then s.usual_requests end,
            search_requests(stores, k.depth)) end)
        filter (where ${isSearched}), 0)::float8 as "requestsPerDay",
      min(least((k.created_at at time zone 'UTC')::date, (select min(i.on_date)
        from imported_daily_ranks i where i.keyword_id = k.id))) as "firstDay"
    from keywords k join apps a on a.id = k.app_id join markets m on m.id = k.market_id
      join stores using (store)
      left join market_schedule s on s.market_id = k.market_id
    where k.workspace_id = ${workspaceId} and k.app_id = ${appId} and k.archived_at is null
    group by k.country order by k.country`.execute(tx);
  return rows;
}

/** The newest day up to today whose run has ended, whether or not it checked everything. */
export async function findNewestFinishedDay(tx: Tx, today: string): Promise<string | null> {
  const { rows } = await sql<Row<'newest-finished-day'>>`/* newest-finished-day */
    select date from runs where finished_at is not null and date <= ${today}::date
    order by date desc limit 1`.execute(tx);
  return rows[0]?.date ?? null;
}

/** The newest run up to today: a clock that was ahead may have opened a later one. */
export async function findNewestRun(
  tx: Tx,
  today: string,
): Promise<{ date: string; state: string } | null> {
  const { rows } = await sql<Row<'newest-run'>>`/* newest-run */
    select date, state from runs where date <= ${today}::date order by date desc limit 1`.execute(
    tx,
  );
  return rows[0] ?? null;
}
