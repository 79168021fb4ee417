import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { isFree, isLeased } from './leases.ts';

export interface QueuedMarket {
  marketId: number;
  attempts: number;
  urgent: boolean;
}

/** Work of a store in the queue, and the kinds of work that somebody waits for. */
export interface Queued {
  all: number;
  urgent: number;
  hasUrgentMarkets: boolean;
  hasUrgentListings: boolean;
  hasUrgentStoreTasks: boolean;
}

/** One statement for all kinds, because it is sent every second. */
export async function countQueued(db: Db, store: StoreName, now: Date): Promise<Queued> {
  const { rows } = await sql<Row<'count-queued'>>`/* count-queued */
    select coalesce(sum(rows), 0)::int as all, coalesce(sum(urgent), 0)::int as urgent,
      exists (select from market_schedule where store = ${store} and urgent_at is not null)
        as "hasUrgentMarkets",
      exists (select from listing_schedule where store = ${store} and urgent_at is not null)
        as "hasUrgentListings",
      exists (select from store_tasks where store = ${store} and urgent_at is not null)
        as "hasUrgentStoreTasks"
    from (
      select count(*) as rows, count(urgent_at) as urgent from market_schedule
        where store = ${store} and ${isLeased(now)}
      union all
      select count(*), count(urgent_at) from listing_schedule
        where store = ${store} and active and ${isLeased(now)}
      union all
      select count(*), count(urgent_at) from store_tasks
        where store = ${store} and active and ${isLeased(now)}
    ) as queued`.execute(db);
  return rows[0]!;
}

/**
 * Returns work that was leased until exactly these instants to the schedule, because the queue
 * rejected it. Locks rows lowest id first, like every other writer.
 */
export async function releaseQueued(db: Db, store: StoreName, untils: Date[]): Promise<void> {
  const taken = sql`store = ${store} and queued_until = any(${untils})`;
  await sql`/* release-markets */
    update market_schedule s set queued_until = null
      from (select market_id from market_schedule where ${taken} order by market_id for update) t
    where s.market_id = t.market_id`.execute(db);
  await sql`/* release-listings */
    update listing_schedule s set queued_until = null
    from (select listing_id, country from listing_schedule where ${taken}
      order by listing_id, country for update) t
    where s.listing_id = t.listing_id and s.country = t.country`.execute(db);
  await sql`/* release-store-tasks */
    update store_tasks c set queued_until = null
    from (select id from store_tasks where ${taken} order by id for update) t
    where c.id = t.id`.execute(db);
}

/**
 * Leases urgent markets, round-robin over the workspaces that wait. The order is fixed, so that
 * work whose lease expired is taken again before other work.
 */
export async function takeUrgentMarkets(
  db: Db,
  input: { store: StoreName; day: string; now: Date; until: Date; limit: number },
): Promise<QueuedMarket[]> {
  const { rows } = await sql<Row<'take-urgent-markets', QueuedMarket>>`/* take-urgent-markets */
    update market_schedule s set queued_until = ${input.until}
    from (
      select market_id from market_schedule
      where store = ${input.store} and urgent_at is not null and depth > 0
        and ${isFree(input)}
      order by urgent_round, urgent_at, market_id limit ${input.limit} for update skip locked
    ) next
    where s.market_id = next.market_id
    returning s.market_id as "marketId", case when s.attempts_on = ${input.day} then s.attempts
      else 0 end as attempts, true as urgent`.execute(db);
  return rows;
}

interface DueMarkets {
  store: StoreName;
  day: string;
  now: Date;
  until: Date;
  limit: number;
}

/**
 * Leases the day's markets: stalest first, then alternating between workspaces, so that the
 * thousands of one do not delay the ten of another. Markets that failed today come last. Otherwise
 * markets that are always refused would be searched first after each cooldown that they cause.
 */
export async function takeDueMarkets(db: Db, input: DueMarkets): Promise<QueuedMarket[]> {
  const untried = await takeDue(db, input, false);
  if (untried.length >= input.limit) return untried;
  return [
    ...untried,
    ...(await takeDue(db, { ...input, limit: input.limit - untried.length }, true)),
  ];
}

async function takeDue(db: Db, input: DueMarkets, isRetry: boolean): Promise<QueuedMarket[]> {
  const [name, which] = isRetry
    ? [sql`/* take-due-retries */`, sql`attempts_on = ${input.day} and attempts > 0`]
    : [
        sql`/* take-due-markets */`,
        sql`(attempts_on is distinct from ${input.day} or attempts = 0)`,
      ];
  const { rows } = await sql<Row<'take-due', QueuedMarket>>`${name}
    update market_schedule s set queued_until = ${input.until}
    from (
      select market_id from market_schedule
      where store = ${input.store} and depth > 0
        and due_from <= ${input.day}::date
        and (checked_on is null or checked_on < ${input.day}) and ${which}
        and ${isFree(input)}
      order by due_from, checked_on nulls first, round_robin_order, market_id
        limit ${input.limit}
      for update skip locked
    ) next
    where s.market_id = next.market_id
    returning s.market_id as "marketId", case when s.attempts_on = ${input.day} then s.attempts
      else 0 end as attempts, false as urgent`.execute(db);
  return rows;
}

/**
 * True while a store has work left for the day. Statistics are hours old: by them most of the work
 * is left, and an `exists` would scan the whole table at the end of a day. The order of the index
 * leads to the index.
 */
export async function hasRemaining(
  db: Db,
  store: StoreName,
  day: string,
  withListings: boolean,
): Promise<boolean> {
  const { rows } = await sql<Row<'has-remaining', { left: boolean }, 'left'>>`/* has-remaining */
    select exists (select from (select from market_schedule
        where store = ${store} and depth > 0 and due_from <= ${day}::date
          and (checked_on is null or checked_on < ${day})
        order by due_from, checked_on nulls first limit 1) market)
      or (${withListings}::boolean and exists (select from (select from listing_schedule
        where store = ${store} and active and due_from <= ${day}::date
        order by due_from, country limit 1) listing)) as left`.execute(db);
  return rows[0]!.left;
}

/** Markets of a store that a day ended without, and the requests of those that were not run. */
export interface LeftOverMarkets {
  store: StoreName;
  markets: number;
  requests: number;
}

export async function findLastMarketId(db: Db | Tx): Promise<number> {
  const { rows } = await sql<Row<'find-last-market'>>`/* find-last-market */
    select coalesce(max(market_id), 0) as id from market_schedule`.execute(db);
  return rows[0]!.id;
}

/**
 * Ends the day for the markets above `after` up to `until`: those without an outcome get a gap. Its
 * reason is the store if it never passed its probe, and "not run" if only our own pacing delayed
 * the market. Their rows stay as they are, due since that day: rewriting them costs five times as
 * much. Only those in the queue are completed and locked, lowest id first, because a check of the
 * day may still come: it waits, and then deletes the gap.
 */
export async function closeMarkets(
  tx: Tx,
  { day, after, until }: { day: string; after: number; until: number },
): Promise<LeftOverMarkets[]> {
  // Without `+ 0` the planner may read all that is due in each step.
  const isLeftOver = sql`depth > 0 and due_from + 0 <= ${day}::date`;
  const columns = sql`market_id, store, usual_requests, last_marker,
    attempts_on is not distinct from ${day}
      and (attempts > 0 or last_marker not in ('busy', 'late')) as is_tried`;
  const { rows } = await sql<Row<'close-markets', LeftOverMarkets, 'store'>>`/* close-markets */
    with due as (
      select ${columns}, queued_until from market_schedule
      where market_id > ${after} and market_id <= ${until} and ${isLeftOver}
    ), locked as (
      select market_id from market_schedule
      where market_id in (select market_id from due where queued_until is not null)
        and ${isLeftOver} order by market_id for update
    ), dequeued as (
      update market_schedule set completed_on = ${day}, queued_until = null, retry_at = null
        where market_id in (select market_id from locked) returning ${columns}
    ), left_over as (
      select market_id, store, usual_requests, last_marker, is_tried from due
        where queued_until is null
      union all select market_id, store, usual_requests, last_marker, is_tried from dequeued
    ), closed as (
      select l.market_id, l.store, l.usual_requests,
        is_tried or c.store is not null as has_failed,
        case when is_tried or c.store is null then l.last_marker else c.marker end as marker
      from left_over l left join series_probes c on c.store = l.store and c.date = ${day}
        and c.state = 'degraded'
    ), gaps as (
      insert into market_gaps (market_id, on_date, reason, marker)
      select market_id, ${day}, case when has_failed then 'store_error' else 'not_yet_run' end,
        marker from closed
      on conflict (market_id, on_date) do nothing
    )
    select store, count(*)::int as markets,
      coalesce(sum(coalesce(usual_requests, search_requests(stores, 200)))
        filter (where not has_failed), 0)::float8 as requests
    from closed join stores using (store) group by store`.execute(tx);
  return rows;
}
