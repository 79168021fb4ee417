import { sql, type RawBuilder } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import { inTransaction, type Db, type Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { recountsOf } from '../runs/run-counts.ts';
import { isScoreStale } from '../scores/stale-scores.ts';
import type { LastSerp } from '../serp-chains/serp-chains.ts';
import { storeSerp, type SerpToStore } from '../serp-chains/store-serp.ts';

export interface MarketToCheck {
  id: number;
  store: StoreName;
  phrase: string;
  country: string;
  device: string;
  depth: number;
  checkedOn: string | null;
  completedOn: string | null;
  attempts: number;
  /** The reason for the last failed attempt. */
  lastMarker: string | null;
  usualResults: number | null;
  /** The requests that a check of it usually takes. */
  usualRequests: number | null;
  /** Since when a result that differs from the usual ones waits for confirmation. */
  unconfirmedSince: Date | null;
  unconfirmedResults: number | null;
  /** The newest stored results, which are from before the day. */
  lastSerp: LastSerp | null;
  /** The provider whose order the day's positions have. */
  provider: string;
  /** The probe of that provider fails today. */
  isDegraded: boolean;
  /** The tracked listings. */
  tracked: TrackedListing[];
  /** Changes with every write of the market's row, for example when somebody begins to track it. */
  version: string;
}

export interface TrackedListing {
  id: number;
  storeAppId: string;
  /** The newest position that a keyword of the market shows; null for none, or not found. */
  previousPosition: number | null;
}

/** Listings of every app with a live keyword in a market, and of its competitors. */
const trackedListings = (marketId: number) => sql`
  with following as (select app_id, latest_position from keywords
    where market_id = ${marketId} and archived_at is null)
  select l.id, l.store_app_id, tracked.previous_position
  from listings l
  join (
    select listing_id, max(previous_position) as previous_position from (
      select a.listing_id, f.latest_position as previous_position
      from following f join apps a on a.id = f.app_id
      union all
      select c.listing_id, null from following f join competitors c on c.app_id = f.app_id
        and c.archived_at is null) as either
    group by listing_id) tracked on tracked.listing_id = l.id`;

export async function findMarketToCheck(
  db: Db,
  marketId: number,
  day: string,
): Promise<MarketToCheck | undefined> {
  const { rows } = await sql<
    Row<
      'market-to-check',
      Omit<MarketToCheck, 'tracked' | 'lastSerp'> &
        LastSerpColumns & {
          ids: number[];
          storeAppIds: string[];
          previousPositions: (number | null)[];
        },
      'store' | 'provider'
    >
  >`/* market-to-check */
    select m.id, m.store, m.phrase, m.country, m.device, s.depth, s.checked_on as "checkedOn",
      s.completed_on as "completedOn",
      case when s.attempts_on = ${day} then s.attempts else 0 end as attempts,
      case when s.attempts_on = ${day} then s.last_marker end as "lastMarker",
        s.usual_results as "usualResults", s.usual_requests as "usualRequests",
        s.unconfirmed_since as "unconfirmedSince",
        s.unconfirmed_results as "unconfirmedResults", p.provider,
      l.ids as "lastIds", l.strengths as "lastStrengths", l.whole_on as "lastWholeOn",
      l.xmin::text as "lastVersion",
      exists (select from store_probes d where d.store = m.store and d.date = ${day}
        and d.provider = p.provider and d.state = 'degraded') as "isDegraded",
      s.xmin::text as version, t.ids, t."storeAppIds", t."previousPositions"
    from markets m join market_schedule s on s.market_id = m.id
    left join last_serps l on l.market_id = m.id and l.on_date < ${day}::date
    cross join position_provider(m.store, ${day}) as p(provider)
    cross join lateral (
      select coalesce(array_agg(id), '{}') as ids,
        coalesce(array_agg(store_app_id), '{}') as "storeAppIds",
        coalesce(array_agg(previous_position), '{}') as "previousPositions"
      from (${trackedListings(marketId)}) as tracked
    ) t
    where m.id = ${marketId}`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { ids, storeAppIds, previousPositions, ...rest } = row;
  const { lastIds, lastStrengths, lastWholeOn, lastVersion, ...market } = rest;
  const tracked = ids.map((id, index) => ({
    id,
    storeAppId: storeAppIds[index]!,
    previousPosition: previousPositions[index]!,
  }));
  const lastSerp = lastIds && {
    ids: lastIds,
    strengths: lastStrengths!,
    wholeOn: lastWholeOn!,
    version: lastVersion!,
  };
  return { ...market, lastSerp, tracked };
}

interface LastSerpColumns {
  lastIds: Buffer | null;
  lastStrengths: Buffer | null;
  lastWholeOn: string | null;
  lastVersion: string | null;
}

/** The listings that are tracked in a market now. */
export async function listTrackedListings(db: Db, marketId: number): Promise<TrackedListing[]> {
  const { rows } = await sql<Row<'tracked-listings', TrackedListing>>`/* tracked-listings */
    select id, store_app_id as "storeAppId", previous_position as "previousPosition"
    from (${trackedListings(marketId)}) as tracked`.execute(db);
  return rows;
}

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
 * Selects the keywords that show a listing's newest daily rank; `k` with its app `a`, and the
 * listing as `seen`.
 */
export const keywordsShowingDay = (day: string) => sql`
  k.archived_at is null and not k.paused and not k.held
  and coalesce(k.tracking_periods->0->>0 <= ${day}::text collate "C", true)
  and a.id = k.app_id and a.archived_at is null and a.listing_id = seen.listing_id`;

/**
 * The keyword's tracking periods after its check on the first day of the last one: the day is
 * visible from this second on, and never from before the keyword existed.
 */
export const periodsAfterFirstCheck = (day: string, second: number) => sql`
  case when k.tracking_periods->-1->>0 = ${day}::text and (k.tracking_periods->-1->>2)::int < 0
    then jsonb_set(k.tracking_periods, '{-1,2}', to_jsonb(greatest(${second}::int,
      case when (k.created_at at time zone 'UTC')::date = ${day}::date
        then ceil(extract(epoch from (k.created_at at time zone 'UTC')::time))::int end)))
    else k.tracking_periods end`;

/**
 * The copy of that daily rank in the keyword, to the keyword's depth. A best position is one of the
 * current provider's.
 */
export const latestRankColumns = (day: string, depth: RawBuilder<unknown>) => sql`
  latest_on = ${day},
  latest_position = case when seen.position <= k.depth then seen.position end,
  latest_depth = least(${depth}, k.depth),
  (best_on, best_position) = (select
    case when is_best then ${day}::date else k.best_on end,
    case when is_best then seen.position else k.best_position end
    from (select coalesce(seen.position <= k.depth and (k.best_position is null
      or seen.position < k.best_position
      or k.best_on < market_series_start(k.market_id, ${day})), false)) as better(is_best))`;

/**
 * Writes a result in one statement: the day's depth, a daily rank for each listing, the stored
 * positions, the copies in keywords, and the schedule. Adding a keyword locks the market's row: a
 * keyword added meanwhile shows in the row's version, and a later one finds the day checked.
 * If the day is closed while this waits for the row, its gap is invisible to the statement, which
 * then writes nothing and is repeated. Deeper requests stay urgent.
 */
export async function recordCheck(db: Db, check: CheckRecord): Promise<RecordedCheck> {
  const recorded = await tryRecord(db, check);
  return recorded.outcome === 'known' ? tryRecord(db, check) : recorded;
}

async function tryRecord(db: Db, check: CheckRecord): Promise<RecordedCheck> {
  const { rows } = await sql<
    Row<
      'record-check',
      { isUnconfirmed: boolean; isWritten: boolean; hasNewTrackers: boolean },
      'isUnconfirmed' | 'hasNewTrackers'
    >
  >`/* record-check */
    with probe as (
      select ${check.positions.includes(null)}::boolean
        and exists (select from store_probes where store = ${check.store} and date = ${check.day}
          and provider = ${check.provider} and state = 'degraded') as degraded
    ), due as (
      update market_schedule set
        checked_on = ${check.day}, completed_on = greatest(completed_on, ${check.day}),
          queued_until = null,
        urgent_at = case when depth > ${check.requestedDepth}
          or (urgent_at at time zone 'UTC')::date > ${check.day}::date then urgent_at end,
        attempts = 0, retry_at = null, last_marker = null, usual_results = ${check.resultCount},
        unconfirmed_since = null, unconfirmed_results = null,
        usual_requests = coalesce(usual_requests * 0.7 + ${check.requests}::real * 0.3,
          ${check.requests}::real)
      from probe
      where market_id = ${check.marketId} and (checked_on is null or checked_on < ${check.day})
        and not probe.degraded
        and completed_on is not distinct from (select completed_on from market_schedule
          where market_id = ${check.marketId})
      returning market_id, old.xmin::text as version
    ), examined as (
      insert into market_months as m (market_id, month, days)
      select market_id, ${check.month}, overlay(decode(repeat('00', 124),
        'hex') placing ${check.dayBytes}::bytea from ${check.dayIndex * 4 + 1}::int) from due
      on conflict (market_id, month) do update
        set days = overlay(m.days placing ${check.dayBytes}::bytea
        from ${check.dayIndex * 4 + 1}::int)
    ), ranked as (
      insert into rank_months as r (listing_id, month, market_id, daily_ranks, depths)
      select seen.listing_id, ${check.month}, due.market_id,
        set_byte(decode(repeat('00', 31), 'hex'), ${check.dayIndex}::int, seen.daily_rank),
        set_byte(decode(repeat('00', 31), 'hex'), ${check.dayIndex}::int, ${check.depth}::int)
      from due, unnest(${check.listingIds}::int[], ${check.dailyRanks}::int[])
        as seen(listing_id, daily_rank)
      on conflict (listing_id, month, market_id) do update set
        daily_ranks = set_byte(r.daily_ranks, ${check.dayIndex}::int,
          get_byte(excluded.daily_ranks, ${check.dayIndex}::int)),
        depths = set_byte(r.depths, ${check.dayIndex}::int, ${check.depth}::int)
    ), ${storeSerp(check)}, healed as (
      delete from market_gaps g using due where g.market_id = due.market_id
        and g.on_date = ${check.day}
    ), pending as (
      insert into pending_evaluations (market_id, on_date) select market_id, ${check.day} from due
        on conflict (on_date, market_id) do update set on_date = excluded.on_date
    ), recounted as (${recountsOf(check.day, sql`select market_id from due`)}
    ), stale as (
      insert into stale_scores select market_id from due
        where ${isScoreStale(sql`due.market_id`, check.day)} on conflict do nothing
    ), newest as (
      update keywords k set latest_at = greatest(${check.checkedAt}, k.created_at),
        tracking_periods = ${periodsAfterFirstCheck(check.day, check.second)},
        ${latestRankColumns(check.day, sql`${check.depth}::smallint`)}
      from due, unnest(${check.listingIds}::int[], ${check.positions}::smallint[])
        as seen(listing_id, position), apps a
      where k.market_id = due.market_id and ${keywordsShowingDay(check.day)}
        and (k.latest_on is null or k.latest_on < ${check.day})
    )
    select probe.degraded as "isUnconfirmed", due.market_id is not null as "isWritten",
      due.version <> ${check.version} or exists (
        select from (${trackedListings(check.marketId)}) as tracked
          where id <> all(${check.listingIds}::int[])) as "hasNewTrackers"
    from probe left join due on true`.execute(db);
  const { isUnconfirmed, isWritten, hasNewTrackers } = rows[0]!;
  return {
    outcome: isWritten ? 'written' : isUnconfirmed ? 'unconfirmed' : 'known',
    hasNewTrackers,
  };
}

/** Records that the market's results wait for confirmation, from the first time on. */
export async function markUnconfirmed(
  db: Db,
  input: { marketId: number; since: Date; results: number },
): Promise<void> {
  await sql`/* mark-unconfirmed */
    update market_schedule set unconfirmed_since = ${input.since},
      unconfirmed_results = ${input.results}
    where market_id = ${input.marketId}`.execute(db);
}

/** Returns the market to the schedule, with no attempt before `retryAt`. */
export async function rescheduleCheck(
  db: Db,
  input: { marketId: number; day: string; attempts: number; retryAt: Date; marker: string },
): Promise<void> {
  await sql`/* reschedule-check */
    update market_schedule set queued_until = null, attempts = ${input.attempts},
      attempts_on = ${input.day},
      retry_at = ${input.retryAt}, last_marker = ${input.marker}
    where market_id = ${input.marketId}
      and (checked_on is null or checked_on < ${input.day})`.execute(db);
}

/**
 * Completes the day with a gap and its reason; there are no more attempts. Demand for a later day
 * stays.
 */
export async function completeWithGap(
  db: Db | Tx,
  input: { marketId: number; day: string; marker: string; reason?: 'store_error' | 'not_served' },
): Promise<void> {
  const reason = input.reason ?? 'store_error';
  await sql`/* complete-with-gap */
    with due as (
      update market_schedule set queued_until = null, retry_at = null, attempts = 0,
        urgent_at = case when (urgent_at at time zone 'UTC')::date > ${input.day}::date
          then urgent_at end,
        completed_on = greatest(completed_on, ${input.day}), last_marker = ${input.marker}
      where market_id = ${input.marketId} and (checked_on is null or checked_on < ${input.day})
      returning market_id
    ), reported as (
      update keywords k set tracking_periods = ${periodsAfterFirstCheck(input.day, 0)}
      from due where k.market_id = due.market_id and k.archived_at is null
        and (k.tracking_periods->-1->>2)::int < 0
    )
    insert into market_gaps (market_id, on_date, reason, marker)
    select market_id, ${input.day}, ${reason}, ${input.marker} from due
    on conflict (market_id, on_date) do update
      set reason = excluded.reason, marker = excluded.marker`.execute(db);
}

/** What another provider said on a day on which the provider of the positions did not respond. */
export interface FallbackCheck {
  marketId: number;
  day: string;
  /** Why the provider of the positions did not respond. */
  marker: string;
  reason: 'store_error' | 'not_served';
  provider: string;
  depth: number;
  checkedAt: Date;
  resultCount: number;
  ended: string;
  storedIds: Buffer;
  listingIds: number[];
  positions: (number | null)[];
}

/** Completes the day with a gap as above, and keeps the results of another provider beside it. */
export async function completeWithFallback(db: Db, check: FallbackCheck): Promise<void> {
  await inTransaction(db, async (tx) => {
    await completeWithGap(tx, check);
    await sql`/* insert-fallback-check */
      insert into fallback_checks (market_id, on_date, provider, depth, checked_at, result_count,
        ended, ids, listing_ids, positions)
      select g.market_id, g.on_date, ${check.provider}, ${check.depth}, ${check.checkedAt},
        ${check.resultCount}, ${check.ended}, ${check.storedIds}::bytea,
        ${check.listingIds}::int[], ${check.positions}::smallint[]
      from market_gaps g where g.market_id = ${check.marketId} and g.on_date = ${check.day}
      on conflict (market_id, on_date) do update set provider = excluded.provider,
        depth = excluded.depth, checked_at = excluded.checked_at,
        result_count = excluded.result_count, ended = excluded.ended, ids = excluded.ids,
        listing_ids = excluded.listing_ids, positions = excluded.positions`.execute(tx);
  });
}

/** Stores a job that is given up, once, for inspection. */
export async function insertDeadLetter(
  db: Db,
  work: { queue: string; jobId: string; data: object },
): Promise<void> {
  await sql`
    insert into dead_letters (queue, job_id, data)
      values (${work.queue}, ${work.jobId}, ${JSON.stringify(work.data)})
    on conflict (job_id) do nothing`.execute(db);
}
