import { sql } from 'kysely';
import type { Tx } from '../database.ts';

/**
 * A month of a listing in many markets, in one piece: market ids of four bytes each, and in the same order 31 cells
 * and 31 depths each; a depth of 0 beside a cell is to be found in the market's month.
 * One row a month instead of one a market spares the driver thousands of values.
 */
export interface RankMonths {
  listingId: number;
  month: string;
  marketIds: Buffer;
  cells: Buffer;
  depths: Buffer;
}

/** The months of listings in markets; combinations that were never written are simply not there. */
export async function listRankMonths(tx: Tx, input: { listingIds: number[]; marketIds: number[]; months: string[] }): Promise<RankMonths[]> {
  const { rows } = await sql<RankMonths>`/* rank-months */
    select listing_id as "listingId", month, string_agg(int4send(market_id), ''::bytea) as "marketIds", string_agg(cells, ''::bytea) as cells,
      string_agg(depths, ''::bytea) as depths
    from rank_months
    where listing_id = any(${input.listingIds}::int[]) and month = any(${input.months}::date[]) and market_id = any(${input.marketIds}::int[])
    group by listing_id, month`.execute(tx);
  return rows;
}

export interface FollowedApp {
  id: number;
  listingId: number;
  store: 'ios' | 'android';
}

/** An app of the workspace, archived or not, as long as its time has not run out. */
export async function findFollowedApp(tx: Tx, workspaceId: number, appId: number, now: Date): Promise<FollowedApp | undefined> {
  const { rows } = await sql<FollowedApp>`/* followed-app */
    select a.id, a.listing_id as "listingId", l.store
    from apps a join listings l on l.id = a.listing_id
    where a.workspace_id = ${workspaceId} and a.id = ${appId} and (a.purge_at is null or a.purge_at > ${now})`.execute(tx);
  return rows[0];
}

export interface FollowedKeywordRow {
  id: number;
  listingId: number;
  marketId: number;
  terms: unknown;
  phrase: string;
  country: string;
}

export interface KeywordFilter {
  country?: string | undefined;
  keywordId?: number | undefined;
  tag?: string | undefined;
}

/** The live keywords of an app, paused ones too, by id. */
export async function listFollowedKeywords(tx: Tx, workspaceId: number, appId: number, filter: KeywordFilter): Promise<FollowedKeywordRow[]> {
  const { country = null, keywordId = null, tag = null } = filter;
  const { rows } = await sql<FollowedKeywordRow>`/* followed-keywords */
    select k.id, a.listing_id as "listingId", k.market_id as "marketId", k.terms, m.phrase, m.country
    from keywords k join apps a on a.id = k.app_id join markets m on m.id = k.market_id
    where k.workspace_id = ${workspaceId} and k.app_id = ${appId} and k.archived_at is null
      and (${country}::text is null or m.country = ${country})
      and (${keywordId}::int is null or k.id = ${keywordId})
      and (${tag}::text is null or ${tag} = any(k.tags))
    order by k.id`.execute(tx);
  return rows;
}

/** A live keyword of the workspace, whose app's time has not run out. */
export async function findFollowedKeyword(tx: Tx, workspaceId: number, keywordId: number, now: Date): Promise<FollowedKeywordRow | undefined> {
  const { rows } = await sql<FollowedKeywordRow>`/* followed-keyword */
    select k.id, a.listing_id as "listingId", k.market_id as "marketId", k.terms, m.phrase, m.country
    from keywords k join apps a on a.id = k.app_id join markets m on m.id = k.market_id
    where k.workspace_id = ${workspaceId} and k.id = ${keywordId} and k.archived_at is null
      and (a.purge_at is null or a.purge_at > ${now})`.execute(tx);
  return rows[0];
}

export interface LatestRow {
  keywordId: number;
  appId: number;
  phrase: string;
  country: string;
  latestOn: string | null;
  latestPosition: number | null;
  latestDepth: number | null;
  /** Milliseconds since the epoch: for a whole workspace, reading dates from text takes longer than the query. */
  latestAtMs: number | null;
}

/** The newest cell of each live keyword, as kept beside it, by keyword id; archived apps are left out. */
export async function listLatest(
  tx: Tx,
  workspaceId: number,
  page: { afterId: number; limit: number; appIds: number[] | null; country: string | null },
): Promise<LatestRow[]> {
  const { rows } = await sql<LatestRow>`/* latest-cells */
    select k.id as "keywordId", k.app_id as "appId", m.phrase, m.country, k.latest_on as "latestOn",
      k.latest_position as "latestPosition", k.latest_depth as "latestDepth", (extract(epoch from k.latest_at) * 1000)::float8 as "latestAtMs"
    from keywords k join apps a on a.id = k.app_id join markets m on m.id = k.market_id
    where k.workspace_id = ${workspaceId} and k.id > ${page.afterId} and k.archived_at is null and a.archived_at is null
      and (${page.appIds}::int[] is null or k.app_id = any(${page.appIds}))
      and (${page.country}::text is null or m.country = ${page.country})
    order by k.id limit ${page.limit}`.execute(tx);
  return rows;
}

export async function countLatest(tx: Tx, workspaceId: number, filter: { appIds: number[] | null; country: string | null }): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* count-latest */
    select count(*)::int as count
    from keywords k join apps a on a.id = k.app_id join markets m on m.id = k.market_id
    where k.workspace_id = ${workspaceId} and k.archived_at is null and a.archived_at is null
      and (${filter.appIds}::int[] is null or k.app_id = any(${filter.appIds}))
      and (${filter.country}::text is null or m.country = ${filter.country})`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** A listing's snapshots of a country from `from` to `to`, and the last one before, oldest first. `fields` as stored. */
export async function listSnapshotsAround(
  tx: Tx,
  listing: { listingId: number; country: string; from: string; to: string; limit: number },
): Promise<{ takenAt: Date; fields: unknown }[]> {
  const { rows } = await sql<{ takenAt: Date; fields: unknown }>`/* snapshots-around */
    select taken_at as "takenAt", fields from snapshots
    where listing_id = ${listing.listingId} and country = ${listing.country}
      and taken_at < (${listing.to}::date + 1)::timestamp at time zone 'UTC'
      and taken_at >= coalesce((
        select max(taken_at) from snapshots
        where listing_id = ${listing.listingId} and country = ${listing.country} and taken_at < ${listing.from}::timestamp at time zone 'UTC'
      ), '-infinity')
    order by taken_at, id limit ${listing.limit}`.execute(tx);
  return rows;
}
