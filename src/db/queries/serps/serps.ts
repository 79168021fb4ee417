import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { nameInFirstOf } from '../listings/listing-names.ts';
import type { KeptSerp } from '../serp-chains/kept-serps.ts';
import { listPackedHistory, packedDays } from '../serp-chains/packed-serps.ts';

interface SerpDay {
  date: string;
  depth: number;
  resultCount: number;
  /** The number of stored results. */
  kept: number;
  provider: string;
}

/** The days from `from` to `to` on which results of a market were stored, newest first. */
export async function listSerpDays(
  tx: Tx,
  range: { marketId: number; from: string; to: string },
): Promise<SerpDay[]> {
  const { rows } = await sql<Row<'serp-days'>>`/* serp-days */
    select on_date as date, depth, result_count as "resultCount",
      case when whole_on is null then length(ids) / 4 else get_byte(ids, 0) end as kept, provider
    from serps
    where market_id = ${range.marketId} and on_date between ${range.from}::date
      and ${range.to}::date
    union all
    select on_date, depth, result_count, length(ids) / 4, provider from last_serps p
    where market_id = ${range.marketId} and on_date between ${range.from}::date
      and ${range.to}::date and not exists (
      select from serps s where s.market_id = p.market_id and s.on_date = p.on_date)
    order by 1 desc`.execute(tx);
  const packed = await listPackedHistory(tx, { ...range, marketIds: [range.marketId] });
  const known = new Set(rows.map(({ date }) => date));
  return [...rows, ...packed.filter(({ date }) => !known.has(date)).map(toSerpDay)].toSorted(
    (a, b) => (a.date < b.date ? 1 : -1),
  );
}

const toSerpDay = ({ date, depth, resultCount, ids, provider }: KeptSerp): SerpDay => ({
  date,
  depth,
  resultCount,
  kept: ids.length / 4,
  provider,
});

/** The newest day with results within any of the spans, which are the visible days of a keyword. */
export async function findNewestSerpDay(
  tx: Tx,
  marketId: number,
  spans: { from: string; to: string }[],
): Promise<string | null> {
  const { rows } = await sql<Row<'newest-serp-day'>>`/* newest-serp-day */
    with seen as (
      select * from unnest(${spans.map((span) => span.from)}::date[],
        ${spans.map((span) => span.to)}::date[]) as s(first, last)
    )
    select max(on_date) as date
    from (
      select p.on_date from seen join serps p on p.market_id = ${marketId}
        and p.on_date between seen.first and seen.last
      union all
      select p.on_date from seen join last_serps p on p.market_id = ${marketId}
        and p.on_date between seen.first and seen.last
      union all
      select p.on_date from seen cross join lateral (
        ${packedDays(sql`${marketId}::int`, sql`seen.first`, sql`seen.last`)}) p
    ) known`.execute(tx);
  return rows[0]?.date ?? null;
}

/** The app that results are for, if any, and the countries that they are from. */
export interface SerpContext {
  appId: number | null;
  countries: readonly string[];
}

export interface SerpListing {
  id: number;
  storeAppId: string;
  name: string | null;
  developer: string | null;
  iconUrl: string | null;
  /** This workspace's app of the listing. */
  appId: number | null;
  /** The listing is that of the given app. */
  isOwn: boolean;
  /** The given app's competitor of the listing. */
  competitorId: number | null;
}

/**
 * Listings by their ids, each with its relation to the workspace and to one of its apps. Archived
 * apps and competitors do not count. Names are those of the first of the countries that has one.
 */
export async function listSerpListings(
  tx: Tx,
  workspaceId: number,
  { appId, countries }: SerpContext,
  listingIds: number[],
): Promise<SerpListing[]> {
  const { rows } = await sql<Row<'serp-listings', SerpListing>>`/* serp-listings */
    select l.id, l.store_app_id as "storeAppId", ${nameInFirstOf(countries)} as name,
      l.developer, l.icon_url as "iconUrl",
      a.id as "appId", coalesce(a.id = ${appId}::int, false) as "isOwn", c.id as "competitorId"
    from listings l
    left join apps a on a.workspace_id = ${workspaceId} and a.listing_id = l.id
      and (a.archived_at is null or a.id = ${appId}::int)
    left join competitors c on c.workspace_id = ${workspaceId} and c.app_id = ${appId}::int
      and c.listing_id = l.id and c.archived_at is null
    where l.id = any(${listingIds}::int[])`.execute(tx);
  return rows;
}
