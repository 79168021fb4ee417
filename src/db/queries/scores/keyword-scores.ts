import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { withProvenance, type Stored } from './scores.ts';
import {
  appSpans,
  countrySpans,
  endOfOwnTexts,
  newestOwnDay,
} from '../followed-spans/followed-spans.ts';
import { nameIn } from '../listings/listing-names.ts';

export interface KeywordToScore {
  id: number;
  appId: number;
  marketId: number;
  paused: boolean;
  archived: boolean;
  /** The market's results were stored at least once. */
  checked: boolean;
}

/** A live keyword of the workspace. */
export async function findKeywordToScore(
  tx: Tx,
  workspaceId: number,
  keywordId: number,
): Promise<KeywordToScore | undefined> {
  const { rows } = await sql<Row<'find-keyword-to-score', KeywordToScore>>`
    select k.id, k.app_id as "appId", k.market_id as "marketId", k.paused,
      a.archived_at is not null as archived, s.checked_on is not null as checked
    from keywords k join apps a on a.id = k.app_id
      left join market_schedule s on s.market_id = k.market_id
    where k.workspace_id = ${workspaceId} and k.id = ${keywordId}
      and k.archived_at is null`.execute(tx);
  return rows[0];
}

/** The live keyword with which an app tracks a phrase. */
export async function findKeywordId(
  tx: Tx,
  workspaceId: number,
  market: { appId: number; country: string; device: string; phrase: string },
): Promise<number | null> {
  const { rows } = await sql<Row<'find-keyword-id'>>`
    select id from keywords
    where workspace_id = ${workspaceId} and app_id = ${market.appId} and country = ${market.country}
      and device = ${market.device} and phrase = ${market.phrase} and archived_at is null`.execute(
    tx,
  );
  return rows[0]?.id ?? null;
}

export interface ScoreRow {
  id: number;
  scoredAt: Date;
  traffic: number | null;
  difficulty: number | null;
  /** Null once it is deleted. */
  provenance: unknown;
}

export interface ScoreFilter {
  marketId: number;
  from: string;
  to: string;
  /** Days whose evidence the caller may see, both ends inclusive. */
  spans: { from: string; to: string }[];
}

const matches = ({ marketId, from, to, spans }: ScoreFilter) => sql`
  s.market_id = ${marketId} and s.scored_at >= ${`${from}T00:00:00Z`}::timestamptz
    and s.scored_at < ${`${to}T00:00:00Z`}::timestamptz + interval '1 day'
  and exists (
    select from unnest(${spans.map((span) => span.from)}::date[],
      ${spans.map((span) => span.to)}::date[]) as seen(first, last)
    where s.observed_on between seen.first and seen.last)`;

/** The scores of a market made from evidence of visible days, newest first, older than `before`. */
export async function listScoreRows(
  tx: Tx,
  filter: ScoreFilter & { before: number | null; limit: number },
): Promise<{ rows: ScoreRow[]; total: number }> {
  const { rows } = await sql<Row<'score-rows', Stored<ScoreRow>>>`/* score-rows */
    select s.id::float8 as id, s.scored_at as "scoredAt", s.traffic, s.difficulty,
      coalesce(n.provenance, p.provenance) as provenance,
      coalesce(n.packed, p.packed) as packed
    from scores s
    left join market_scores m on m.market_id = s.market_id and m.score_id = s.id
    left join market_provenance n on n.market_id = m.market_id
    left join score_provenance p
      on p.score_id = s.id and p.scored_on = (s.scored_at at time zone 'UTC')::date
    where ${matches(filter)} and (${filter.before}::bigint is null or s.id < ${filter.before})
      order by s.id desc limit ${filter.limit}`.execute(tx);
  const counted = await sql<
    Row<'list-score-rows'>
  >`select count(*)::int as total from scores s where ${matches(filter)}`.execute(tx);
  return { rows: rows.map(withProvenance), total: counted.rows[0]!.total };
}

export interface MarketScore {
  marketId: number;
  observedOn: string;
  traffic: number | null;
  /** Null for an estimate. */
  trafficBasis: 'published' | 'bound' | null;
  difficulty: number | null;
  /** Only of scores with low confidence. */
  trafficLow: number | null;
  trafficHigh: number | null;
  difficultyLow: number | null;
  difficultyHigh: number | null;
}

/**
 * The newest score of markets; those without one are omitted. The caller must check who may see it.
 */
export async function listMarketScores(
  tx: Tx,
  marketIds: readonly number[],
): Promise<MarketScore[]> {
  const { rows } = await sql<Row<'market-scores', MarketScore, 'trafficBasis'>>`
    /* market-scores */
    select market_id as "marketId", observed_on as "observedOn", traffic,
      traffic_basis as "trafficBasis", difficulty,
      traffic_low as "trafficLow", traffic_high as "trafficHigh",
      difficulty_low as "difficultyLow", difficulty_high as "difficultyHigh"
    from market_scores where market_id = any(${[...marketIds]}::int[])`.execute(tx);
  return rows;
}

export interface OwnText {
  listingId: number;
  country: string;
  name: string | null;
  subtitle: string | null;
  description: string | null;
}

const describedCharacters = 3_000;

/**
 * The texts of the tenant's apps in their primary countries, and then those in the given countries,
 * as they were while the apps were followed there. Without a reading only the name is known, if the
 * store showed it there.
 */
export async function listOwnTexts(
  tx: Tx,
  shown: readonly { listingId: number; country: string }[],
): Promise<OwnText[]> {
  const ids = shown.map(({ listingId }) => listingId);
  const countries = shown.map(({ country }) => country);
  const { rows } = await sql<Row<'own-texts', OwnText, 'country'>>`/* own-texts */
    select l.id as "listingId", w.country,
      coalesce(s.fields->>'name', ${nameIn(sql`w.country`)}) as name,
      coalesce(s.fields->>'subtitle', s.fields->>'summary') as subtitle,
      left(s.fields->>'description', ${describedCharacters}::int) as description
    from (
      select a.listing_id, a.primary_country as country, ${appSpans} as spans, 0 as ordinal
      from apps a where a.listing_id = any(${ids}::int[])
      union all
      select a.listing_id, given.country, ${countrySpans(sql`given.country`)}, 1
      from unnest(${ids}::int[], ${countries}::text[]) as given(listing_id, country)
        join apps a on a.listing_id = given.listing_id
    ) w
    join listings l on l.id = w.listing_id
    ${newestOwnDay(sql`l.id`, sql`w.country`, sql`w.spans`)}
    left join lateral (
      select fields from snapshots where listing_id = l.id and country = w.country
        and taken_at < ${endOfOwnTexts(sql`w.spans`)} order by id desc limit 1
    ) s on true
    order by w.ordinal`.execute(tx);
  return rows;
}

export interface ScoredKeywordRow {
  id: number;
  phrase: string;
  country: string;
  device: string;
  marketId: number;
  listingId: number;
  trackingPeriods: unknown;
  latestOn: string | null;
  /** The latest rank is from before the keyword was tracked here. */
  isLatestImported: boolean;
  latestPosition: number | null;
  latestDepth: number | null;
}

/** The live keywords of an app, with their latest positions. */
export async function listKeywordsToRate(
  tx: Tx,
  workspaceId: number,
  filter: {
    appId: number;
    country: string | null;
    device: string | null;
    keywordIds: number[] | null;
  },
): Promise<ScoredKeywordRow[]> {
  const { rows } = await sql<Row<'keywords-to-rate', ScoredKeywordRow>>`/* keywords-to-rate */
    select k.id, k.phrase, k.country, k.device, k.market_id as "marketId",
      a.listing_id as "listingId",
      k.tracking_periods as "trackingPeriods", k.latest_on as "latestOn",
      coalesce(k.latest_on < (k.created_at at time zone 'UTC')::date, false) as "isLatestImported",
      k.latest_position as "latestPosition", k.latest_depth as "latestDepth"
    from keywords k join apps a on a.id = k.app_id
    where k.workspace_id = ${workspaceId} and k.app_id = ${filter.appId} and k.archived_at is null
      and (${filter.country}::text is null or k.country = ${filter.country})
      and (${filter.device}::text is null or k.device = ${filter.device})
      and (${filter.keywordIds}::int[] is null or k.id = any(${filter.keywordIds}))
    order by k.id`.execute(tx);
  return rows;
}

/** Every market that live keywords of the workspace track, in one app or in all. */
export async function listMarketsOfWorkspace(
  tx: Tx,
  workspaceId: number,
  appId: number | null,
): Promise<number[]> {
  const { rows } = await sql<Row<'list-markets-of-workspace'>>`
    select distinct market_id as id from keywords
    where workspace_id = ${workspaceId} and archived_at is null
      and (${appId}::int is null or app_id = ${appId}) order by 1`.execute(tx);
  return rows.map((row) => row.id);
}
