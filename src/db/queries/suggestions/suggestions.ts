import { sql, type RawBuilder } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import {
  competitorSpans,
  countrySpans,
  endOfOwnTexts,
  endOfSpan,
  newestOwnDay,
} from '../followed-spans/followed-spans.ts';
import { nameIn } from '../listings/listing-names.ts';
import { packedDays } from '../serp-chains/packed-serps.ts';
import { listKeptSerps } from '../serp-chains/kept-serps.ts';

export interface ListingTextsRow {
  listingId: number;
  storeAppId: string;
  name: string | null;
  developer: string | null;
  subtitle: string | null;
  summary: string | null;
  description: string | null;
  category: string | null;
  /** The country of the texts. Without a reading only the name and the developer are known. */
  country: string;
  takenAt: Date | null;
}

const maxCompetitors = 20;

/**
 * The country to read texts from. The app's primary country replaces a country in which this
 * workspace does not track the app.
 */
const readCountry = (country: string) => sql`
  case when exists (
    select from keywords k where k.workspace_id = a.workspace_id and k.app_id = a.id
      and k.country = ${country} and k.archived_at is null
  ) then ${country} else a.primary_country end`;

const texts = sql`
  l.id as "listingId", l.store_app_id as "storeAppId",
  coalesce(s.fields->>'name', ${nameIn(sql`app.country`)}) as name,
  coalesce(s.fields->>'developer', l.developer) as developer, s.fields->>'subtitle' as subtitle,
  s.fields->>'summary' as summary, s.fields->>'description' as description,
  s.fields->>'category' as category, app.country,
  case when s.taken_at is not null then next_followed(app.spans, s.taken_at) end as "takenAt"`;

const newestSnapshot = (end: RawBuilder<unknown>) => sql`
  left join lateral (
    select fields, taken_at from snapshots where listing_id = l.id and country = app.country
      and taken_at < ${end} order by id desc limit 1
  ) s on true`;

/** The texts of the app's listing in a country. */
export async function findListingTexts(
  tx: Tx,
  workspaceId: number,
  appId: number,
  country: string,
): Promise<ListingTextsRow | undefined> {
  const { rows } = await sql<Row<'find-listing-texts', ListingTextsRow, 'country'>>`
    select ${texts}
    from (
      select a.listing_id, ${readCountry(country)} as country,
        ${countrySpans(readCountry(country))} as spans
      from apps a where a.workspace_id = ${workspaceId} and a.id = ${appId} offset 0
    ) app join listings l on l.id = app.listing_id
    ${newestOwnDay(sql`l.id`, sql`app.country`, sql`app.spans`)}
    ${newestSnapshot(endOfOwnTexts(sql`app.spans`))}`.execute(tx);
  return rows[0];
}

/** The texts of the competitors' listings, at most 20. */
export async function listCompetitorTexts(
  tx: Tx,
  workspaceId: number,
  appId: number,
  country: string,
): Promise<ListingTextsRow[]> {
  const { rows } = await sql<Row<'list-competitor-texts', ListingTextsRow, 'country'>>`
    select ${texts}
    from (
      select c.id, c.listing_id, ${readCountry(country)} as country,
        ${countrySpans(readCountry(country))} * ${competitorSpans} as spans
      from apps a join competitors c on c.workspace_id = a.workspace_id and c.app_id = a.id
        and c.archived_at is null
      where a.workspace_id = ${workspaceId} and a.id = ${appId}
      order by c.id limit ${maxCompetitors}
    ) app join listings l on l.id = app.listing_id
    left join lateral (
      select read_at from listing_days where listing_id = l.id and country = app.country
        and app.spans @> read_at order by on_date desc limit 1
    ) d on true
    ${newestSnapshot(endOfSpan(sql`app.spans`, sql`d.read_at`))}
    order by app.id`.execute(tx);
  return rows;
}

export interface SearchedKeyword {
  id: number;
  marketId: number;
  phrase: string;
  trackingPeriods: unknown;
}

/** Live keywords in a country on a device whose market has results, newest results first. */
export async function listSearchedKeywords(
  tx: Tx,
  workspaceId: number,
  where: { appId: number; country: string; device: string; limit: number },
): Promise<SearchedKeyword[]> {
  const { rows } = await sql<Row<'list-searched-keywords', SearchedKeyword>>`
    select id, market_id as "marketId", phrase, tracking_periods as "trackingPeriods" from keywords
    where workspace_id = ${workspaceId} and app_id = ${where.appId} and country = ${where.country}
      and device = ${where.device} and archived_at is null and latest_on is not null
    order by latest_on desc, id limit ${where.limit}`.execute(tx);
  return rows;
}

/**
 * The newest stored first ten positions of each market, four bytes per id, within its span of days.
 */
export async function listLatestPositions(
  tx: Tx,
  spans: { marketId: number; from: string; to: string }[],
): Promise<{ marketId: number; date: string; ids: Buffer }[]> {
  const column = <Value>(read: (span: (typeof spans)[number]) => Value) => sql`${spans.map(read)}`;
  const { rows } = await sql<
    Row<'list-latest-positions', { marketId: number; date: string }, 'marketId'>
  >`
    select seen.market_id as "marketId", s.on_date as date
    from unnest(${column((span) => span.marketId)}::int[], ${column((span) => span.from)}::date[],
      ${column((span) => span.to)}::date[])
      as seen(market_id, first, last)
    cross join lateral (
      select on_date from (
        (select on_date from serps
          where market_id = seen.market_id and on_date between seen.first and seen.last
          order by on_date desc limit 1)
        union all ${packedDays(sql`seen.market_id`, sql`seen.first`, sql`seen.last`)}
      ) known order by on_date desc limit 1
    ) s`.execute(tx);
  const serps = await listKeptSerps(tx, rows);
  return serps.map(({ marketId, date, ids }) => ({ marketId, date, ids: ids.subarray(0, 40) }));
}

/** Names as last seen in the results of a country, of those that have one. */
export async function listListingNames(
  tx: Tx,
  country: string,
  listingIds: number[],
): Promise<{ id: number; name: string; developer: string | null }[]> {
  const { rows } = await sql<
    Row<'list-listing-names', { id: number; name: string; developer: string | null }, 'name'>
  >`
    select id, name, developer from (
      select l.id, ${nameIn(sql`${country}::text`)} as name, l.developer
      from listings l where l.id = any(${listingIds}::int[])
    ) named where name is not null order by id`.execute(tx);
  return rows;
}

/**
 * For `market_scores s` and `keywords k`: true when the score is from a day on which the keyword
 * was tracked. Of two periods of a day the later one counts, after its first check.
 */
export const isOwnScore = sql`(
  select (term->>1)::int > 0
  from jsonb_array_elements(k.tracking_periods) with ordinality as t(term, ordinal)
  where (term->>0)::date <= s.observed_on
    and ((term->>0)::date < s.observed_on or coalesce((term->>2)::int, 0) >= 0)
  order by term->>0 desc, ordinal desc limit 1)`;

/** The given phrases that the app tracks already. */
export async function listTrackedPhrases(
  tx: Tx,
  workspaceId: number,
  where: { appId: number; country: string; device: string; phrases: string[] },
): Promise<Set<string>> {
  const { rows } = await sql<Row<'list-tracked-phrases'>>`
    select phrase from keywords
    where workspace_id = ${workspaceId} and app_id = ${where.appId} and country = ${where.country}
      and device = ${where.device} and archived_at is null
      and phrase = any(${where.phrases})`.execute(tx);
  return new Set(rows.map((row) => row.phrase));
}

export interface KnownTraffic {
  traffic: number;
  /** Where the confidence is low. */
  range: { low: number; high: number } | null;
}

interface KnownTrafficRow {
  phrase: string;
  traffic: number;
  low: number | null;
  high: number | null;
}

/**
 * Traffic by phrase, from markets that apps of this workspace track. Markets that only others track
 * are not revealed.
 */
export async function listKnownTraffic(
  tx: Tx,
  workspaceId: number,
  where: { store: StoreName; country: string; device: string; phrases: string[] },
): Promise<Map<string, KnownTraffic>> {
  const { rows } = await sql<Row<'list-known-traffic', KnownTrafficRow, 'traffic'>>`
    select distinct k.phrase, s.traffic, s.traffic_low as low, s.traffic_high as high
    from keywords k join markets m on m.id = k.market_id and m.store = ${where.store}
      join market_scores s on s.market_id = k.market_id and ${isOwnScore}
    where k.workspace_id = ${workspaceId} and k.country = ${where.country} and k.archived_at is null
      and k.device = ${where.device} and k.phrase = any(${where.phrases})
      and s.traffic is not null`.execute(tx);
  return new Map(
    rows.map(({ phrase, traffic, low, high }) => [
      phrase,
      { traffic, range: low === null || high === null ? null : { low, high } },
    ]),
  );
}
