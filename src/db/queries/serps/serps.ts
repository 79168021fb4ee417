import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { nameInFirstOf } from '../listings/listing-names.ts';

export interface SerpRow {
  date: string;
  depth: number;
  resultCount: number;
  ended: 'depth' | 'exhausted' | 'truncated';
  provider: string;
  ids: Buffer;
  strengths: Buffer;
  /** For each ad the position of the result that follows it; null where none are shown. */
  ads: number[] | null;
  language: string | null;
}

/** The days from `from` to `to` on which results of a market were stored, newest first. */
export async function listSerpDays(
  tx: Tx,
  range: { marketId: number; from: string; to: string },
): Promise<{ date: string; depth: number; resultCount: number; kept: number }[]> {
  const { rows } = await sql<Row<'serp-days'>>`/* serp-days */
    select on_date as date, depth, result_count as "resultCount", length(ids) / 4 as kept from serps
    where market_id = ${range.marketId} and on_date between ${range.from}::date
      and ${range.to}::date
    order by on_date desc`.execute(tx);
  return rows;
}

export async function findSerp(
  tx: Tx,
  marketId: number,
  date: string,
): Promise<SerpRow | undefined> {
  const { rows } = await sql<Row<'serp', SerpRow, 'ended'>>`/* serp */
    select on_date as date, depth, result_count as "resultCount", ended, provider, ids,
      strengths, ads, language
    from serps where market_id = ${marketId} and on_date = ${date}::date`.execute(tx);
  return rows[0];
}

/** The newest day with results within any of the spans, which are the visible days of a keyword. */
export async function findNewestSerpDay(
  tx: Tx,
  marketId: number,
  spans: { from: string; to: string }[],
): Promise<string | null> {
  const { rows } = await sql<Row<'newest-serp-day'>>`/* newest-serp-day */
    select max(s.on_date) as date
    from unnest(${spans.map((span) => span.from)}::date[], ${spans.map((span) => span.to)}::date[])
      as seen(first, last)
    join serps s on s.market_id = ${marketId}
      and s.on_date between seen.first and seen.last`.execute(tx);
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
  rating: number | null;
  ratingCount: number | null;
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
      l.rating, l.rating_count as "ratingCount",
      a.id as "appId", coalesce(a.id = ${appId}::int, false) as "isOwn", c.id as "competitorId"
    from listings l
    left join apps a on a.workspace_id = ${workspaceId} and a.listing_id = l.id
      and (a.archived_at is null or a.id = ${appId}::int)
    left join competitors c on c.workspace_id = ${workspaceId} and c.app_id = ${appId}::int
      and c.listing_id = l.id and c.archived_at is null
    where l.id = any(${listingIds}::int[])`.execute(tx);
  return rows;
}
