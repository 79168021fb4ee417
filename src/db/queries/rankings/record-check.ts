import { sql } from 'kysely';
import { batched } from '#db/batched.ts';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { StoreName } from '#stores/profiles.ts';
import { recountsOf } from '../runs/run-counts.ts';
import { isScoreStale, onMarkedScore } from '../scores/stale-scores.ts';
import { storeSerps, type SerpToStore } from '../serp-chains/store-serps.ts';
import {
  keywordsShowingDay,
  latestRankColumns,
  periodsAfterFirstCheck,
  trackedListings,
} from './checks.ts';
import { storeLastRanks } from './last-ranks.ts';

export interface CheckRecord extends SerpToStore {
  marketId: number;
  store: StoreName;
  /** The market's version as read before the search. */
  version: string;
  month: string;
  dayIndex: number;
  /** The largest depth that any keyword requested when the search began. */
  requestedDepth: number;
  /** Packed by the daily rank codec: the depth and the seconds of the response. */
  dayBytes: Buffer;
  checkedAt: Date;
  /** The second of the day of `checkedAt`. */
  second: number;
  listingIds: number[];
  positions: (number | null)[];
  /** The same positions as encoded bytes. */
  dailyRanks: number[];
  requests: number;
  /** When it is evaluated for alerts; null for at once. */
  evaluateAt: Date | null;
}

export interface RecordedCheck {
  /**
   * `known`: the day already has its result. `unconfirmed`: a listing is not found while the store
   * fails its probe. Neither writes anything.
   */
  outcome: 'written' | 'known' | 'unconfirmed';
  /** A listing that this search did not look for may be tracked by now. */
  hasNewTrackers: boolean;
}

/**
 * Writes a result, together with those of other markets that come at the same time: the day's
 * depth, a daily rank for each listing, the stored positions, the copies in keywords, and the
 * schedule. It is on the disk when this resolves.
 * A market whose row is locked holds up no other: it is written alone. If the day is closed while
 * it waits for the row, its gap is invisible to the statement, which is then repeated.
 */
export async function recordCheck(db: Db, check: CheckRecord): Promise<RecordedCheck> {
  const together = await recordTogether(db, check);
  if (together.outcome !== 'known') return together;
  const alone = await recordAlone(db, check);
  return alone.outcome === 'known' ? recordAlone(db, check) : alone;
}

const recordTogether = batched(async (db, checks: CheckRecord[]) => {
  const recorded = new Map<CheckRecord, RecordedCheck>();
  for (const ofDay of Map.groupBy(checks, ({ day }) => day).values())
    for (const [index, result] of (await recordDay(db, ofDay, false)).entries())
      recorded.set(ofDay[index]!, result);
  return checks.map((check) => recorded.get(check)!);
});

const recordAlone = async (db: Db, check: CheckRecord): Promise<RecordedCheck> =>
  (await recordDay(db, [check], true))[0]!;

/**
 * Adding a keyword locks the market's row: a keyword added meanwhile shows in the row's version,
 * and a later one finds the day checked. Rows are locked lowest id first, like by every other
 * writer. Deeper requests stay urgent.
 */
async function recordDay(
  db: Db,
  checks: CheckRecord[],
  isWaiting: boolean,
): Promise<RecordedCheck[]> {
  const { day, month, dayIndex } = checks[0]!;
  const firstByte = dayIndex * 4 + 1;
  const [name, locking] = isWaiting
    ? [sql`/* record-check */`, sql`for no key update`]
    : [sql`/* record-checks */`, sql`for no key update skip locked`];
  const { rows } = await sql<
    Row<
      'record-checks',
      { isUnconfirmed: boolean; isWritten: boolean; hasNewTrackers: boolean },
      'hasNewTrackers'
    >
  >`${name}
    with given as (
      select g.*, array_position(g.positions, null::smallint) is not null
        and exists (select from store_probes p where p.store = g.store and p.date = ${day}
          and p.provider = g.provider and p.state = 'degraded') as is_unconfirmed
      from ${givenChecks(checks)}
    ), locked as (
      select market_id from market_schedule where market_id in (select market_id from given)
      order by market_id ${locking}
    ), due as (
      update market_schedule s set
        checked_on = ${day}, completed_on = greatest(s.completed_on, ${day}),
        queued_until = null,
        urgent_at = case when s.depth > g.requested_depth
          or (s.urgent_at at time zone 'UTC')::date > ${day}::date then s.urgent_at end,
        attempts = 0, retry_at = null, last_marker = null, usual_results = g.result_count,
        unconfirmed_since = null, unconfirmed_results = null,
        usual_requests = coalesce(s.usual_requests * 0.7 + g.requests * 0.3, g.requests)
      from given g join locked using (market_id)
      where s.market_id = g.market_id and (s.checked_on is null or s.checked_on < ${day})
        and not g.is_unconfirmed
        and s.completed_on is not distinct from (select completed_on from market_schedule as seen
          where seen.market_id = g.market_id)
      returning g.*, old.xmin::text as found_version
    ), examined as (
      insert into market_months as m (market_id, month, days)
      select market_id, ${month},
        overlay(decode(repeat('00', 124), 'hex') placing day_bytes from ${firstByte}::int)
      from due order by market_id
      on conflict (market_id, month) do update set days = overlay(m.days
        placing substring(excluded.days from ${firstByte}::int for 4) from ${firstByte}::int)
    ), ranked as (
      insert into rank_months as r (listing_id, month, market_id, daily_ranks, depths)
      select seen.listing_id, ${month}, due.market_id,
        set_byte(decode(repeat('00', 31), 'hex'), ${dayIndex}::int, seen.daily_rank),
        set_byte(decode(repeat('00', 31), 'hex'), ${dayIndex}::int, due.depth)
      from due, unnest(due.listing_ids, due.daily_ranks) as seen(listing_id, daily_rank)
      order by seen.listing_id, due.market_id
      on conflict (listing_id, month, market_id) do update set
        daily_ranks = set_byte(r.daily_ranks, ${dayIndex}::int,
          get_byte(excluded.daily_ranks, ${dayIndex}::int)),
        depths = set_byte(r.depths, ${dayIndex}::int,
          get_byte(excluded.depths, ${dayIndex}::int))
    ), ${storeLastRanks(day)}, ${storeSerps(day)}, healed as (
      delete from market_gaps g using due where g.market_id = due.market_id
        and g.on_date = ${day}
    ), pending as (
      insert into pending_evaluations (market_id, on_date, evaluate_at)
        select market_id, ${day}, evaluate_at from due order by market_id
        on conflict (on_date, market_id) do update set evaluate_at = excluded.evaluate_at
    ), recounted as (${recountsOf(day, sql`select market_id from due`)}
    ), stale as (
      insert into stale_scores select market_id from due
        where ${isScoreStale(sql`due.market_id`, day)} order by market_id ${onMarkedScore}
    ), newest as (
      update keywords k set latest_at = greatest(due.checked_at, k.created_at),
        tracking_periods = ${periodsAfterFirstCheck(day, sql`due.second`)},
        ${latestRankColumns(day, sql`due.depth::smallint`)}
      from due cross join lateral unnest(due.listing_ids, due.positions)
        as seen(listing_id, position), apps a
      where k.market_id = due.market_id and ${keywordsShowingDay(day)}
        and (k.latest_on is null or k.latest_on < ${day})
    )
    select given.is_unconfirmed as "isUnconfirmed", due.number is not null as "isWritten",
      due.number is not null and (due.found_version <> given.version or exists (
        select from (${trackedListings(sql`given.market_id`)}) as tracked
          where id <> all(given.listing_ids))) as "hasNewTrackers"
    from given left join due using (number) order by given.number`.execute(db);
  return rows.map(({ isUnconfirmed, isWritten, hasNewTrackers }) => ({
    outcome: isWritten ? 'written' : isUnconfirmed ? 'unconfirmed' : 'known',
    hasNewTrackers,
  }));
}

/** The checks as rows `g`. One JSON text is cheaper to send than a list for each column. */
const givenChecks = (checks: readonly CheckRecord[]) => sql`
  json_to_recordset(${JSON.stringify(checks.map(toRow))}::json) as g(number int, market_id int,
    store text, provider text, version text, depth int, requested_depth int, day_bytes bytea,
    checked_at timestamptz, second int, listing_ids int[], positions smallint[],
    daily_ranks int[], requests real, result_count int, ended text, language text,
    ads smallint[], ids bytea, strengths bytea, link_ids bytea, link_strengths bytea,
    link_whole_on date, link_version text,
    evaluate_at timestamptz)`;

const toRow = (check: CheckRecord, number: number): object => ({
  number,
  market_id: check.marketId,
  store: check.store,
  provider: check.provider,
  version: check.version,
  depth: check.depth,
  requested_depth: check.requestedDepth,
  day_bytes: toHex(check.dayBytes),
  checked_at: check.checkedAt,
  second: check.second,
  listing_ids: check.listingIds,
  positions: check.positions,
  daily_ranks: check.dailyRanks,
  requests: check.requests,
  result_count: check.resultCount,
  ended: check.ended,
  language: check.language,
  ads: check.ads,
  ids: toHex(check.storedIds),
  strengths: toHex(check.strengths),
  link_ids: check.link && toHex(check.link.ids),
  link_strengths: check.link && toHex(check.link.strengths),
  link_whole_on: check.link?.wholeOn,
  link_version: check.link?.lastVersion,
  evaluate_at: check.evaluateAt,
});

const toHex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;
