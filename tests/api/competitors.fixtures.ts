import type { TestApi } from '../harness/api.ts';
import { packIds, packStrengths } from '#domain/tracking/rankings/pack-serp.ts';
import { encodePosition, encodeDay } from '#domain/tracking/rankings/daily-rank-codec.ts';
import { dayIndexInMonth, monthOf } from '#lib/dates.ts';

/**
 * Listings of search results with the store ids 2000000001, 2000000002, …; returns their row ids in
 * that order.
 */
export async function insertListings(api: TestApi, count: number): Promise<number[]> {
  const { rows } = await api.db.pool.query(
    `insert into listings (store, store_app_id, name, developer, rating, rating_count)
     select 'ios', (2000000000 + n)::text, 'Competitor ' || n, 'Maker ' || n, 4.5, n
       from generate_series(1, $1::int) n returning id`,
    [count],
  );
  return rows.map((row) => row.id as number);
}

/** The stored results of a check: its first positions. */
export async function insertSerp(
  api: TestApi,
  marketId: number,
  day: string,
  ids: number[],
  given: { depth?: number; resultCount?: number; ended?: string; provider?: string } = {},
): Promise<void> {
  await api.db.pool.query(
    `insert into serps (market_id, on_date, depth, result_count, ended, provider, ids, strengths)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (market_id, on_date) do update
       set ids = excluded.ids, depth = excluded.depth, result_count = excluded.result_count,
       ended = excluded.ended, provider = excluded.provider`,
    [
      marketId,
      day,
      given.depth ?? 200,
      given.resultCount ?? 180,
      given.ended ?? 'depth',
      given.provider ?? 'test',
      packIds(ids),
      packStrengths([]),
    ],
  );
}

/**
 * The rows that a check writes for a tracked listing, with the market's day; seconds from midnight.
 */
export async function insertDailyRank(
  api: TestApi,
  at: { listingId: number; marketId: number; day: string },
  cell: { position: number | null; depth?: number; seconds?: number },
): Promise<void> {
  const { position, depth = 200, seconds = 7_200 } = cell;
  const index = dayIndexInMonth(at.day);
  await api.db.pool.query(
    `insert into rank_months as r (listing_id, month, market_id, daily_ranks, depths)
     values ($1, $2, $3, set_byte(decode(repeat('00', 31), 'hex'), $4::int, $5::int),
       set_byte(decode(repeat('00', 31), 'hex'), $4::int, $6::int))
     on conflict (listing_id, month, market_id) do update
       set daily_ranks = set_byte(r.daily_ranks, $4::int, $5::int),
       depths = set_byte(r.depths, $4::int, $6::int)`,
    [at.listingId, monthOf(at.day), at.marketId, index, encodePosition(position), depth],
  );
  await api.db.pool.query(
    `insert into market_months as m (market_id, month, days)
       values ($1, $2, overlay(decode(repeat('00', 124), 'hex') placing $4::bytea
         from $3::int * 4 + 1))
     on conflict (market_id, month) do update set days = overlay(m.days placing $4::bytea
       from $3::int * 4 + 1)`,
    [at.marketId, monthOf(at.day), index, encodeDay(depth, seconds)],
  );
}

/** Ranks of a keyword’s app that another tool recorded, one a day, the last on `until`. */
export async function insertImportedRanks(
  api: TestApi,
  keywordId: number,
  positions: readonly (number | null)[],
  until: string,
): Promise<void> {
  await api.db.pool.query(
    `insert into imported_daily_ranks (workspace_id, keyword_id, listing_id, on_date, position,
       depth)
     select k.workspace_id, k.id, a.listing_id, $3::date - cardinality($2::int[]) + number::int,
       position, 200
     from keywords k join apps a on a.id = k.app_id,
       unnest($2::int[]) with ordinality as n(position, number)
     where k.id = $1`,
    [keywordId, positions, until],
  );
}

/** Moves the newest position of a keyword to a day. */
export async function setLatestDailyRank(
  api: TestApi,
  keywordId: number,
  day: string,
  position: number | null,
  depth = 200,
): Promise<void> {
  await api.db.pool.query(
    'update keywords set latest_on = $2::date, latest_position = $3, latest_depth = $4, ' +
      `latest_at = $2::timestamp at time zone 'UTC' + interval '2 hours' where id = $1`,
    [keywordId, day, position, depth],
  );
}

/** A competitor as POST writes it, without a store, at an instant. */
export async function insertCompetitor(
  api: TestApi,
  workspaceId: number,
  competitor: { appId: number; listingId: number; since: string },
): Promise<number> {
  const { rows } = await api.db.pool.query(
    `insert into competitors (workspace_id, app_id, listing_id, tracking_periods, followed_at,
       created_at)
     values ($1, $2, $3, jsonb_build_array(jsonb_build_array((($4::timestamptz at time zone
       'UTC')::date + 1)::text, 200)), $4, $4) returning id`,
    [workspaceId, competitor.appId, competitor.listingId, competitor.since],
  );
  return rows[0].id as number;
}

/**
 * Moves the ranks of listings on a day into the row of the market's newest check, where a reader
 * that looks for them in the months does not find them.
 */
export async function moveToLastRanks(
  api: TestApi,
  at: { marketId: number; day: string; listingIds: number[] },
): Promise<void> {
  const index = dayIndexInMonth(at.day);
  const ranks = `rank_months r where r.market_id = $1 and r.month = $2
    and r.listing_id = any($3) and get_byte(r.daily_ranks, $4) <> 0`;
  const values = [at.marketId, monthOf(at.day), at.listingIds, index];
  await api.db.pool.query(
    `insert into last_ranks (market_id, on_date, depth, listing_ids, daily_ranks)
     select $1::int, $2::date + $4::int, 200, string_agg(int4send(r.listing_id), '' order by
       r.listing_id), string_agg(substring(r.daily_ranks from $4 + 1 for 1), '' order by
       r.listing_id)
     from ${ranks} having count(*) > 0`,
    values,
  );
  await api.db.pool.query(
    `update rank_months set daily_ranks = set_byte(daily_ranks, $4, 0)
     where (listing_id, market_id) in (select r.listing_id, r.market_id from ${ranks})
       and month = $2`,
    values,
  );
}
