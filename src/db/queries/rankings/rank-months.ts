import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import { addDays, type UtcDay } from '#lib/dates.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { importedLatestProvider } from './own-ranks.ts';
import { packedMarket, unpackMarket } from './packed-market.ts';

/**
 * A month of a listing in many markets in one piece: records of a market id (four bytes), 31 daily
 * ranks and 31 depths. One row a month instead of one a market saves the driver from parsing
 * thousands of values.
 */
export interface RankMonths {
  listingId: number;
  month: string;
  records: Buffer;
}

/** Consecutive days of a month; the first of the month is 0. */
export interface DaysInMonth {
  first: number;
  count: number;
}

/**
 * Some days of months of listings in markets: records of a market id (four bytes), and then one
 * rank and one depth for each requested day. Comparing a thousand keywords on their newest day does
 * not need the other thirty.
 */
export async function listRankDays(
  tx: Tx,
  input: { listingIds: number[]; marketIds: number[]; months: string[]; days: DaysInMonth },
): Promise<RankMonths[]> {
  const [from, count] = [sql`${input.days.first + 1}::int`, sql`${input.days.count}::int`];
  const { rows } = await sql<Row<'rank-days', RankMonths, 'records'>>`/* rank-days */
    select listing_id as "listingId", month,
      string_agg(int4send(market_id) || substring(daily_ranks from ${from}
        for ${count}) || substring(depths from ${from} for ${count}), null) as records
    from rank_months
    where listing_id = any(${input.listingIds}::int[]) and month = any(${input.months}::date[])
      and market_id = any(${input.marketIds}::int[])
    group by listing_id, month`.execute(tx);
  return rows;
}

/** The months of listings in markets. Combinations that were never written are omitted. */
export async function listRankMonths(
  tx: Tx,
  input: { listingIds: number[]; marketIds: number[]; months: string[] },
): Promise<RankMonths[]> {
  const { rows } = await sql<Row<'rank-months', RankMonths, 'records'>>`/* rank-months */
    select listing_id as "listingId", month,
      string_agg(int4send(market_id) || daily_ranks || depths, null) as records
    from rank_months
    where listing_id = any(${input.listingIds}::int[]) and month = any(${input.months}::date[])
      and market_id = any(${input.marketIds}::int[])
    group by listing_id, month`.execute(tx);
  return rows;
}

export interface FollowedApp {
  id: number;
  listingId: number;
  store: StoreName;
}

/** An app of the workspace, live or archived, that is not due for erasure. */
export async function findFollowedApp(
  tx: Tx,
  workspaceId: number,
  appId: number,
  now: Date,
): Promise<FollowedApp | undefined> {
  const { rows } = await sql<Row<'followed-app', FollowedApp, 'store'>>`/* followed-app */
    select a.id, a.listing_id as "listingId", l.store
    from apps a join listings l on l.id = a.listing_id
    where a.workspace_id = ${workspaceId} and a.id = ${appId}
      and (a.purge_at is null or a.purge_at > ${now})`.execute(tx);
  return rows[0];
}

export interface FollowedKeywordRow {
  id: number;
  appId: number;
  listingId: number;
  marketId: number;
  trackingPeriods: unknown;
  store: StoreName;
  phrase: string;
  country: string;
  device: string;
}

export interface KeywordFilter {
  country?: string | undefined;
  device?: string | undefined;
  keywordIds?: number[] | undefined;
  tag?: string | undefined;
  /** Includes archived keywords, until they are purged. */
  withArchived?: boolean | undefined;
}

const followedBytes = 8;

/**
 * The live keywords of an app, including paused ones, ordered by id. Packed into one row, like
 * `listLatest`.
 */
export async function listFollowedKeywords(
  tx: Tx,
  app: FollowedApp,
  filter: KeywordFilter,
): Promise<FollowedKeywordRow[]> {
  const {
    country = null,
    device = null,
    keywordIds = null,
    tag = null,
    withArchived = false,
  } = filter;
  const { rows } = await sql<
    Row<
      'followed-keywords',
      { ids: Buffer | null; markets: string; trackingPeriods: string },
      'markets' | 'trackingPeriods'
    >
  >`/* followed-keywords */
    select string_agg(int4send(id) || int4send(market_id), null) as ids,
      string_agg(${packedMarket}, E'\n') as markets,
      string_agg(tracking_periods, E'\n') as "trackingPeriods"
    from (
      select k.id, k.market_id, k.tracking_periods::text, k.phrase, k.country, k.device
      from keywords k
      where k.app_id = ${app.id} and (k.archived_at is null or ${withArchived}::boolean)
        and (${country}::text is null or k.country = ${country})
        and (${device}::text is null or k.device = ${device})
        and (${keywordIds}::int[] is null or k.id = any(${keywordIds}))
        and (${tag}::text is null or ${tag} = any(k.tags))
      order by k.id
    ) followed`.execute(tx);
  const { ids, markets, trackingPeriods } = rows[0]!;
  if (ids === null) return [];
  const readOnce = createTrackingPeriodParser();
  const trackingPeriodsOf = trackingPeriods.split('\n').map(readOnce);
  return markets.split('\n').map((market, index) => ({
    id: ids.readInt32BE(index * followedBytes),
    appId: app.id,
    listingId: app.listingId,
    marketId: ids.readInt32BE(index * followedBytes + 4),
    trackingPeriods: trackingPeriodsOf[index],
    store: app.store,
    ...unpackMarket(market),
  }));
}

/** Caches parsed values, because most keywords of an app have the same tracking periods. */
function createTrackingPeriodParser(): (text: string) => unknown {
  const known = new Map<string, unknown>();
  return (text) => {
    const trackingPeriods = known.get(text) ?? JSON.parse(text);
    known.set(text, trackingPeriods);
    return trackingPeriods;
  };
}

/** A live keyword of the workspace, whose app is not due for erasure. */
export async function findFollowedKeyword(
  tx: Tx,
  workspaceId: number,
  keywordId: number,
  now: Date,
): Promise<FollowedKeywordRow | undefined> {
  const { rows } = await sql<
    Row<'followed-keyword', FollowedKeywordRow, 'store'>
  >`/* followed-keyword */
    select k.id, k.app_id as "appId", a.listing_id as "listingId", k.market_id as "marketId",
      k.tracking_periods as "trackingPeriods", l.store, k.phrase, k.country, k.device
    from keywords k join apps a on a.id = k.app_id join listings l on l.id = a.listing_id
    where k.workspace_id = ${workspaceId} and k.id = ${keywordId} and k.archived_at is null
      and (a.purge_at is null or a.purge_at > ${now})`.execute(tx);
  return rows[0];
}

export interface LatestRow {
  keywordId: number;
  appId: number;
  phrase: string;
  country: string;
  device: string;
  /** Null: never checked. */
  latest: {
    on: UtcDay;
    position: number | null;
    depth: number;
    at: Date;
    /** From before the keyword was tracked here. */
    isImported: boolean;
    /** '' for an import that does not name it; null for a rank of this instance. */
    importedProvider: string | null;
  } | null;
}

export interface LatestFilter {
  appIds: number[] | null;
  country: string | null;
  device: string | null;
}

interface PackedLatest {
  packedRanks: Buffer | null;
  markets: string | null;
  /** By keyword id, of imported ranks alone. */
  importedProviders: Record<number, string> | null;
}

const latestBytes = 26;
/** The epoch of a timestamp's eight bytes, in microseconds. */
const postgresEpochMs = Date.UTC(2000, 0, 1);

/**
 * The newest daily rank of each live keyword, by keyword id, without archived apps. All are packed
 * into one row: the driver takes longer to parse four hundred rows of eight values than the server
 * takes to find them.
 */
export async function listLatest(
  tx: Tx,
  workspaceId: number,
  page: LatestFilter & { afterId: number; limit: number },
): Promise<LatestRow[]> {
  const ofApps =
    page.appIds === null ? sql`/* latest-daily-ranks */` : sql`/* latest-daily-ranks-of-apps */`;
  const isOfApps = page.appIds === null ? sql`` : sql`and k.app_id = any(${page.appIds})`;
  const { rows } = await sql<Row<'list-latest', PackedLatest, 'importedProviders'>>`${ofApps}
    select string_agg(int4send(id) || int4send(app_id) || int4send(coalesce(latest_on - date
      '1970-01-01', 0)) || int2send(coalesce(latest_position, 0::int2))
        || int2send(coalesce(latest_depth, 0::int2)) || timestamptz_send(coalesce(latest_at,
          'epoch')) || int2send(is_imported::int::int2), null) as "packedRanks",
      string_agg(${packedMarket}, E'\n') as markets,
      json_object_agg(id, imported_provider) filter (where imported_provider is not null)
        as "importedProviders"
    from (
      select k.id, k.app_id, k.phrase, k.country, k.device, k.latest_on, k.latest_position,
        k.latest_depth, k.latest_at, ${importedLatestProvider} as imported_provider,
        coalesce(k.latest_on < (k.created_at at time zone 'UTC')::date, false) as is_imported
      from keywords k join apps a on a.id = k.app_id
      where k.workspace_id = ${workspaceId} and k.id > ${page.afterId} and k.archived_at is null
        and a.archived_at is null ${isOfApps}
        and (${page.country}::text is null or k.country = ${page.country})
        and (${page.device}::text is null or k.device = ${page.device})
      order by k.id limit ${page.limit}
    ) newest`.execute(tx);
  const { packedRanks, markets, importedProviders } = rows[0]!;
  if (packedRanks === null || markets === null) return [];
  const dayOf = readerOfDays();
  const providerOf = (keywordId: number) => importedProviders?.[keywordId] ?? null;
  return markets
    .split('\n')
    .map((market, index) =>
      readLatest(packedRanks, index * latestBytes, { market, dayOf, providerOf }),
    );
}

function readLatest(
  packedRanks: Buffer,
  at: number,
  {
    market,
    dayOf,
    providerOf,
  }: {
    market: string;
    dayOf: (number: number) => UtcDay;
    providerOf: (keywordId: number) => string | null;
  },
): LatestRow {
  const depth = packedRanks.readInt16BE(at + 14);
  const keywordId = packedRanks.readInt32BE(at);
  return {
    keywordId,
    appId: packedRanks.readInt32BE(at + 4),
    ...unpackMarket(market),
    latest:
      depth === 0
        ? null
        : {
            on: dayOf(packedRanks.readInt32BE(at + 8)),
            position: packedRanks.readInt16BE(at + 12) || null,
            depth,
            isImported: packedRanks.readInt16BE(at + 24) === 1,
            importedProvider: providerOf(keywordId),
            at: new Date(
              postgresEpochMs + Math.floor(Number(packedRanks.readBigInt64BE(at + 16)) / 1_000),
            ),
          },
  };
}

/**
 * Converts days since 1970-01-01. Nearly all keywords were checked on the same day, so conversions
 * are cached.
 */
function readerOfDays(): (number: number) => UtcDay {
  const known = new Map<number, UtcDay>();
  return (number) => {
    const day = known.get(number) ?? addDays('1970-01-01', number);
    known.set(number, day);
    return day;
  };
}

export async function countLatest(
  tx: Tx,
  workspaceId: number,
  filter: LatestFilter,
): Promise<number> {
  const { rows } = await sql<Row<'count-latest'>>`/* count-latest */
    select count(*)::int as count
    from keywords k join apps a on a.id = k.app_id
    where k.workspace_id = ${workspaceId} and k.archived_at is null and a.archived_at is null
      and (${filter.appIds}::int[] is null or k.app_id = any(${filter.appIds}))
      and (${filter.country}::text is null or k.country = ${filter.country})
      and (${filter.device}::text is null or k.device = ${filter.device})`.execute(tx);
  return rows[0]?.count ?? 0;
}

/**
 * A listing's snapshots of a country from `from` to `to`, and the last one before, oldest first,
 * with `fields` as stored. Of more than `limit` the newest are returned.
 */
export async function listSnapshotsAround(
  tx: Tx,
  listing: { listingId: number; country: string; from: string; to: string; limit: number },
): Promise<{ takenAt: Date; fields: unknown }[]> {
  const { rows } = await sql<Row<'snapshots-around'>>`/* snapshots-around */
    select taken_at as "takenAt", fields from snapshots
    where listing_id = ${listing.listingId} and country = ${listing.country}
      and taken_at < (${listing.to}::date + 1)::timestamp at time zone 'UTC'
      and taken_at >= coalesce((
        select max(taken_at) from snapshots
        where listing_id = ${listing.listingId} and country = ${listing.country}
          and taken_at < ${listing.from}::timestamp at time zone 'UTC'
      ), '-infinity')
    order by taken_at desc, id desc limit ${listing.limit}`.execute(tx);
  return rows.toReversed();
}
