import { sql, type RawBuilder } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import { batched } from '#db/batched.ts';
import { inTransaction, type Db, type Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { LastSerp } from '../serp-chains/serp-chains.ts';

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
  /** Null in the first check of the provider of the positions: lists of another are no measure. */
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
  /** Its failed searches in a row: of checks, or of probes while these fail. */
  failures: number;
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

/**
 * Listings of every app with a live keyword in a market, and of its competitors. Positions from
 * before `from` are another provider's.
 */
export const trackedListings = (
  marketId: RawBuilder<unknown>,
  from: RawBuilder<unknown> = sql`'-infinity'::date`,
) => sql`
  with following as (select app_id, case when latest_on >= ${from} then latest_position end
    as latest_position from keywords where market_id = ${marketId} and archived_at is null)
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

/** Reads it together with other markets that are requested at the same time. */
const findTogether = batched(findMarketsToCheck);

export const findMarketToCheck = (
  db: Db,
  marketId: number,
  day: string,
): Promise<MarketToCheck | undefined> => findTogether(db, { marketId, day });

async function findMarketsToCheck(
  db: Db,
  requested: { marketId: number; day: string }[],
): Promise<(MarketToCheck | undefined)[]> {
  const { rows } = await sql<
    Row<'markets-to-check', MarketRow & { number: number }, 'number' | 'store' | 'provider'>
  >`/* markets-to-check */
    select requested.number, m.id, m.store, m.phrase, m.country, m.device, s.depth,
      s.checked_on as "checkedOn", s.completed_on as "completedOn",
      case when s.attempts_on = requested.day then s.attempts else 0 end as attempts,
      case when s.attempts_on = requested.day then s.last_marker end as "lastMarker",
      case when s.checked_on >= series.from_day then s.usual_results end as "usualResults",
        s.usual_requests as "usualRequests",
        s.unconfirmed_since as "unconfirmedSince",
        s.unconfirmed_results as "unconfirmedResults", series.provider,
      l.ids as "lastIds", l.strengths as "lastStrengths", l.whole_on as "lastWholeOn",
      l.xmin::text as "lastVersion",
      coalesce(d.state = 'degraded', false) as "isDegraded", coalesce(d.failures, 0) as failures,
      s.xmin::text as version, t.ids, t."storeAppIds", t."previousPositions"
    from ${requestedMarkets(requested)}
    join markets m on m.id = requested.market_id
    join market_schedule s on s.market_id = m.id
    left join last_serps l on l.market_id = m.id and l.on_date < requested.day
    left join lateral (
      select provider, from_day from position_series
      where store = m.store and from_day <= requested.day order by from_day desc limit 1
    ) series on true
    left join store_probes d on d.date = requested.day and d.store = m.store
      and d.provider = series.provider
    cross join lateral (
      select coalesce(array_agg(id), '{}') as ids,
        coalesce(array_agg(store_app_id), '{}') as "storeAppIds",
        coalesce(array_agg(previous_position), '{}') as "previousPositions"
      from (${trackedListings(sql`m.id`, sql`series.from_day`)}) as tracked
    ) t`.execute(db);
  const found = new Map(rows.map(({ number, ...row }) => [number, toMarket(row)]));
  return requested.map((_ask, index) => found.get(index));
}

/** As one JSON text: the server plans a statement again for each new length of a list. */
const requestedMarkets = (requested: { marketId: number; day: string }[]) => sql`
  json_to_recordset(${JSON.stringify(
    requested.map(({ marketId, day }, number) => ({ number, market_id: marketId, day })),
  )}::json) as requested(number int, market_id int, day date)`;

type MarketRow = Omit<MarketToCheck, 'tracked' | 'lastSerp'> &
  LastSerpColumns & {
    ids: number[];
    storeAppIds: string[];
    previousPositions: (number | null)[];
  };

function toMarket(row: MarketRow): MarketToCheck {
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
    from (${trackedListings(sql`${marketId}::int`)}) as tracked`.execute(db);
  return rows;
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
export const periodsAfterFirstCheck = (day: string, second: number | RawBuilder<unknown>) => sql`
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
 * stays. Returns false where the day has a result, or where its marker is `probe` but the provider
 * passes its probe by now: the lock lets a probe that passes find the gap, which it takes back.
 */
export async function completeWithGap(
  db: Db | Tx,
  input: { marketId: number; day: string; marker: string; reason?: 'store_error' | 'not_served' },
): Promise<boolean> {
  const reason = input.reason ?? 'store_error';
  const { rows } = await sql<Row<'complete-with-gap'>>`/* complete-with-gap */
    with failing as materialized (
      select p.store from store_probes p join markets m on m.store = p.store
      where m.id = ${input.marketId} and p.date = ${input.day} and p.state = 'degraded'
        and p.provider = position_provider(m.store, ${input.day})
      for share of p
    ), due as (
      update market_schedule set queued_until = null, retry_at = null, attempts = 0,
        urgent_at = case when (urgent_at at time zone 'UTC')::date > ${input.day}::date
          then urgent_at end,
        completed_on = greatest(completed_on, ${input.day}), last_marker = ${input.marker}
      where market_id = ${input.marketId} and (checked_on is null or checked_on < ${input.day})
        and (${input.marker} <> 'probe' or exists (select from failing))
      returning market_id
    ), reported as (
      update keywords k set tracking_periods = ${periodsAfterFirstCheck(input.day, 0)}
      from due where k.market_id = due.market_id and k.archived_at is null
        and (k.tracking_periods->-1->>2)::int < 0
    )
    insert into market_gaps (market_id, on_date, reason, marker)
    select market_id, ${input.day}, ${reason}, ${input.marker} from due
    on conflict (market_id, on_date) do update
      set reason = excluded.reason, marker = excluded.marker
    returning market_id`.execute(db);
  return rows.length > 0;
}

/** A check by another provider, on a day on which the provider of the positions did not respond. */
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
export async function completeWithFallback(db: Db, check: FallbackCheck): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    if (!(await completeWithGap(tx, check))) return false;
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
    return true;
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
