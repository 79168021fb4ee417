import { sql } from 'kysely';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { listKeptSerps } from '../serp-chains/kept-serps.ts';
import { latestRankColumns, keywordsShowingDay, periodsAfterFirstCheck } from './checks.ts';

export interface BackfilledRanks {
  marketId: number;
  day: string;
  month: string;
  dayIndex: number;
  depth: number;
  checkedAt: Date;
  firstCheck: FirstCheck;
  listingIds: number[];
  positions: (number | null)[];
  dailyRanks: number[];
}

/** When keywords learn what was known before: the time of their own first check. */
export interface FirstCheck {
  at: Date;
  /** From the day's midnight. */
  second: number;
}

/**
 * Inserts daily ranks of listings that somebody began to track, or to track deeper, after the day's
 * search had started.
 */
export async function insertDailyRanks(db: Db, late: BackfilledRanks): Promise<void> {
  const depths = late.listingIds.map(() => late.depth);
  await sql`
    with ranked as (
      insert into rank_months as r (listing_id, month, market_id, daily_ranks, depths)
      select seen.listing_id, ${late.month}, ${late.marketId},
        set_byte(decode(repeat('00', 31), 'hex'), ${late.dayIndex}::int, seen.daily_rank),
        set_byte(decode(repeat('00', 31), 'hex'), ${late.dayIndex}::int, ${late.depth}::int)
      from unnest(${late.listingIds}::int[], ${late.dailyRanks}::int[])
        as seen(listing_id, daily_rank)
      on conflict (listing_id, month, market_id) do update set
        daily_ranks = set_byte(r.daily_ranks, ${late.dayIndex}::int,
          get_byte(excluded.daily_ranks, ${late.dayIndex}::int)),
        depths = set_byte(r.depths, ${late.dayIndex}::int, ${late.depth}::int)
    ), outdated as (
      delete from last_ranks where market_id = ${late.marketId} and on_date = ${late.day}
    ), ${updateNewest({ ...late, depths })}`.execute(db);
}

/**
 * Copies stored daily ranks to keywords that do not show them yet, each with its examined depth.
 */
export async function updateLatestRanks(db: Db, ranks: LatestRanks): Promise<void> {
  await sql`with ${updateNewest(ranks)}`.execute(db);
}

interface LatestRanks {
  marketId: number;
  day: string;
  checkedAt: Date;
  firstCheck: FirstCheck;
  listingIds: number[];
  positions: (number | null)[];
  depths: number[];
}

const updateNewest = ({
  marketId,
  day,
  checkedAt,
  firstCheck,
  listingIds,
  positions,
  depths,
}: LatestRanks) => sql`
  pending as (insert into pending_evaluations (market_id, on_date) values (${marketId}, ${day})
    on conflict do nothing)
  update keywords k set latest_at = greatest(${checkedAt}, k.created_at,
      case when (k.tracking_periods->-1->>2)::int < 0 then ${firstCheck.at}::timestamptz end),
    tracking_periods = ${periodsAfterFirstCheck(day, firstCheck.second)},
    ${latestRankColumns(day, sql`seen.depth`)}
  from unnest(${listingIds}::int[], ${positions}::smallint[], ${depths}::smallint[])
    as seen(listing_id, position, depth), apps a
  where k.market_id = ${marketId} and ${keywordsShowingDay(day)}
    and (k.latest_on is null or k.latest_on < ${day}
      or (k.latest_on = ${day} and k.latest_depth < least(seen.depth, k.depth)))`;

export interface BackfillListing {
  id: number;
  storeAppId: string;
  /** The largest depth that any keyword requests. */
  requested: number;
  /** The packed daily rank; 0: none. */
  dailyRank: number;
  depth: number;
  /** Some keyword does not show the day yet, or not as deep as it was examined. */
  isOutdated: boolean;
}

/** Every listing that is tracked in a market, with its daily rank if it has one. */
export async function listDayOfMarket(
  db: Db,
  input: { marketId: number; day: string; month: string; dayIndex: number },
): Promise<BackfillListing[]> {
  const { rows } = await sql<
    Row<'list-day-of-market', BackfillListing, 'requested' | 'isOutdated'>
  >`
    select l.id, l.store_app_id as "storeAppId", max(k.depth) as requested,
      coalesce(get_byte(r.daily_ranks, ${input.dayIndex}::int), 0) as "dailyRank",
      coalesce(get_byte(r.depths, ${input.dayIndex}::int), 0) as depth,
        bool_or(k.latest_on is null or k.latest_on < ${input.day}
        or (k.latest_on = ${input.day} and k.latest_depth < least(get_byte(r.depths,
          ${input.dayIndex}::int), k.depth))) as "isOutdated"
    from keywords k
    join apps a on a.id = k.app_id and a.archived_at is null
    join listings l on l.id = a.listing_id
    left join rank_months r on r.listing_id = l.id and r.month = ${input.month}
      and r.market_id = k.market_id
    where k.market_id = ${input.marketId} and k.archived_at is null and not k.paused and not k.held
    group by l.id, l.store_app_id, r.daily_ranks, r.depths order by l.id`.execute(db);
  return rows;
}

export interface StoredResponse {
  depth: number;
  resultCount: number;
  ended: string;
  ids: Buffer;
  /** From the day's midnight to the response. */
  seconds: number;
}

export async function findSerpOfDay(
  db: Db,
  input: { marketId: number; day: string; month: string; dayIndex: number },
): Promise<StoredResponse | undefined> {
  const [kept] = await listKeptSerps(db, [{ marketId: input.marketId, date: input.day }]);
  if (kept === undefined) return undefined;
  const at = input.dayIndex * 4;
  const { rows } = await sql<Row<'second-of-day', { seconds: number }, 'seconds'>>`
    select (get_byte(days, ${at + 1}::int) << 16) + (get_byte(days, ${at + 2}::int) << 8)
      + get_byte(days, ${at + 3}::int) as seconds
    from market_months where market_id = ${input.marketId} and month = ${input.month}`.execute(db);
  return rows[0] && { ...kept, ...rows[0] };
}

/**
 * Ends the urgency of the market, unless its row was written since it was read: a keyword may
 * request more of it by now. With `retryAt` the market stays urgent and is tried again then.
 */
export async function releaseUrgent(
  db: Db,
  market: { id: number; version: string },
  input: { day: string; retryAt: Date | null; attempts: number; marker: string | null },
): Promise<void> {
  await sql`
    update market_schedule set queued_until = null, retry_at = ${input.retryAt},
      attempts = ${input.attempts}, attempts_on = ${input.day},
      last_marker = ${input.marker},
      urgent_at = case when ${input.retryAt}::timestamptz is null and xmin::text = ${market.version}
        then null else urgent_at end
    where market_id = ${market.id}`.execute(db);
}
