import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { deleteLastRanks } from '../rankings/last-ranks.ts';
import { isReplaced, wasTrackedOn } from '../rankings/own-ranks.ts';
import { retractSerps } from '../serp-chains/retract-serps.ts';

export interface UnconfirmedDay {
  store: StoreName;
  provider: string;
  day: string;
  /** The first day of the day's month. */
  month: string;
  /** 0–30 */
  dayIndex: number;
  /** Checks before it count as they are. */
  from: Date;
  /** A first search with fewer results is implausible. */
  minFirstResults: number;
  afterMarketId: number;
  limit: number;
}

/** Listings whose ranks a market has: those of tracked and of archived keywords. */
const rankedListings = sql`
  select a.listing_id from keywords k join apps a on a.id = k.app_id
    where k.market_id = p.market_id
  union
  select c.listing_id from keywords k join competitors c on c.app_id = k.app_id
    where k.market_id = p.market_id`;

/**
 * Checks of an unconfirmed period that look as if the store withheld results: fewer results than on
 * the day before, few at the first search of the series, or an app that is no longer found. Their
 * markets are locked, lowest id first.
 */
export async function lockImplausibleChecks(tx: Tx, of: UnconfirmedDay): Promise<number[]> {
  const { rows } = await sql<Row<'lock-implausible-checks'>>`/* lock-implausible-checks */
    select s.market_id as "marketId"
    from market_schedule s
    join serps p on p.market_id = s.market_id and p.on_date = ${of.day}::date
      and p.provider = ${of.provider}
    join market_months m on m.market_id = s.market_id and m.month = ${of.month}
    cross join (
      select max(from_day) as from_day from position_series
      where store = ${of.store} and from_day <= ${of.day}::date
    ) series
    left join lateral (
      select * from (
        (select b.on_date, b.result_count from serps b
          where b.market_id = s.market_id and b.on_date < ${of.day}::date
            and b.on_date >= series.from_day and b.provider = p.provider
          order by b.on_date desc limit 1)
        union all
        (select b.last_on, b.last_result_count from serp_months b
          where b.market_id = s.market_id and b.last_on < ${of.day}::date
            and b.last_on >= series.from_day and b.provider = p.provider
          order by b.month desc limit 1)
      ) b order by b.on_date desc limit 1
    ) before on true
    where s.store = ${of.store} and s.checked_on >= ${of.day}::date
      and s.market_id > ${of.afterMarketId}
      and ${of.day}::date::timestamp at time zone 'UTC' + make_interval(secs =>
        (get_byte(m.days, ${of.dayIndex * 4 + 1}::int) << 16)
        + (get_byte(m.days, ${of.dayIndex * 4 + 2}::int) << 8)
        + get_byte(m.days, ${of.dayIndex * 4 + 3}::int)) >= ${of.from}
      and case when before.on_date is null
        then p.result_count < least(${of.minFirstResults}::int, s.depth)
        else p.result_count < 0.9 * least(before.result_count, s.depth)
          or exists (
            select from (${rankedListings}) as l(listing_id)
            join rank_months today on today.listing_id = l.listing_id
              and today.market_id = p.market_id and today.month = ${of.month}
            join rank_months earlier on earlier.listing_id = l.listing_id
              and earlier.market_id = p.market_id
              and earlier.month = date_trunc('month', before.on_date)::date
            where get_byte(today.daily_ranks, ${of.dayIndex}::int) = 255
              and get_byte(earlier.daily_ranks, extract(day from before.on_date)::int - 1)
                between 1 and 200)
        end
    order by s.market_id limit ${of.limit} for update of s`.execute(tx);
  return rows.map(({ marketId }) => marketId);
}

/**
 * Turns checks of a day into gaps. Everything that was written with them is deleted or restored:
 * ranks, results, scores, and the newest and best ranks in keywords. With `isDueAgain` the markets
 * are searched again on that day.
 */
export async function retractChecks(
  tx: Tx,
  checks: {
    marketIds: number[];
    day: string;
    month: string;
    dayIndex: number;
    marker: string;
    isDueAgain: boolean;
  },
): Promise<void> {
  const { marketIds, day, month, dayIndex } = checks;
  await sql`/* retract-scores */
    with retracted as (
      delete from market_scores where market_id = any(${marketIds}::int[]) and serp_on = ${day}
      returning market_id, score_id
    ), provenance as (
      delete from market_provenance p using retracted r where p.market_id = r.market_id
    )
    delete from scores using retracted where id = score_id`.execute(tx);
  await sql`/* retract-ranks */
    update rank_months r set
      daily_ranks = set_byte(daily_ranks, ${dayIndex}::int, 0),
      depths = set_byte(depths, ${dayIndex}::int, 0)
    from unnest(${marketIds}::int[]) as p(market_id),
      lateral (${rankedListings}) as l(listing_id)
    where r.listing_id = l.listing_id and r.month = ${month} and r.market_id = p.market_id`.execute(
    tx,
  );
  await sql`/* retract-days */
    update market_months set days = overlay(days placing '\\x00000000'::bytea
      from ${dayIndex * 4 + 1}::int)
    where month = ${month} and market_id = any(${marketIds}::int[])`.execute(tx);
  await deleteLastRanks(tx, { marketIds, from: day, to: day });
  await retractSerps(tx, checks);
  await sql`/* retract-evaluations */
    delete from pending_evaluations where on_date = ${day}
      and market_id = any(${marketIds}::int[])`.execute(tx);
  await restoreKeywords(tx, { marketIds, day });
  await restoreSchedule(tx, checks);
}

/** The newest and best ranks without those of the retracted day. */
async function restoreKeywords(
  tx: Tx,
  { marketIds, day }: { marketIds: number[]; day: string },
): Promise<void> {
  const visible = sql`
    from rank_months r
    join apps a on a.id = k.app_id and a.listing_id = r.listing_id
    cross join generate_series(0, 30) as d(index)
    where r.market_id = k.market_id and get_byte(r.daily_ranks, d.index) <> 0
      and r.month + d.index < ${day}::date and ${wasTrackedOn(sql`r.month + d.index`)}`;
  const imported = sql`
    from imported_daily_ranks c
    where c.keyword_id = k.id and c.on_date < ${day}::date`;
  await sql`/* restore-latest-ranks */
    update keywords k set (latest_on, latest_position, latest_depth, latest_at) = (
      select newest.on_date,
        case when newest.rank <= k.depth then newest.rank end,
        least(newest.depth, k.depth),
        coalesce(newest.at, (
          select newest.on_date::timestamp at time zone 'UTC' + make_interval(secs =>
            (get_byte(m.days, newest.index * 4 + 1) << 16)
            + (get_byte(m.days, newest.index * 4 + 2) << 8)
            + get_byte(m.days, newest.index * 4 + 3))
          from market_months m where m.market_id = k.market_id and m.month = newest.month))
      from (
        (select r.month + d.index as on_date, r.month, d.index,
          get_byte(r.daily_ranks, d.index)::smallint as rank,
          get_byte(r.depths, d.index)::smallint as depth, null::timestamptz as at
        ${visible} order by 1 desc limit 1)
        union all
        (select c.on_date, null, null, c.position, c.depth,
          coalesce(c.checked_at, c.on_date::timestamp at time zone 'UTC')
        ${imported} and c.on_date < (k.created_at at time zone 'UTC')::date
        order by 1 desc limit 1)
        order by 1 desc limit 1
      ) newest)
    where k.market_id = any(${marketIds}::int[]) and k.latest_on = ${day}`.execute(tx);
  await sql`/* restore-best-ranks */
    update keywords k set (best_on, best_position) = (
      select best.on_date, best.rank from (
        (select r.month + d.index as on_date, get_byte(r.daily_ranks, d.index)::smallint as rank
        ${visible} and get_byte(r.daily_ranks, d.index) between 1 and k.depth
          and r.month + d.index >= market_series_start(k.market_id, ${day})
        order by 2, 1 limit 1)
        union all
        (select c.on_date, c.position
        ${imported} and c.position is not null and coalesce(c.provider = position_provider(
          (select m.store from markets m where m.id = k.market_id), ${day}::date), true)
          and not ${isReplaced}
        order by 2, 1 limit 1)
        order by 2, 1 limit 1
      ) best)
    where k.market_id = any(${marketIds}::int[]) and k.best_on = ${day}`.execute(tx);
}

async function restoreSchedule(
  tx: Tx,
  checks: { marketIds: number[]; day: string; marker: string; isDueAgain: boolean },
): Promise<void> {
  const { marketIds, day, marker, isDueAgain } = checks;
  await sql`/* restore-schedules */
    update market_schedule s set
      checked_on = before.on_date, usual_results = before.result_count,
      completed_on = case when ${isDueAgain}::boolean then ${day}::date - 1 else s.completed_on end,
      attempts = 0, retry_at = null, queued_until = null
    from unnest(${marketIds}::int[]) as retracted(market_id)
    left join lateral (
      select * from (
        (select on_date, result_count from serps where market_id = retracted.market_id
          and on_date < ${day}::date order by on_date desc limit 1)
        union all
        (select last_on, last_result_count from serp_months
          where market_id = retracted.market_id and last_on < ${day}::date
          order by month desc, last_on desc limit 1)
      ) b order by on_date desc limit 1
    ) before on true
    where s.market_id = retracted.market_id and s.checked_on = ${day}`.execute(tx);
  await sql`/* insert-withheld-gaps */
    insert into market_gaps (market_id, on_date, reason, marker)
    select id, ${day}, 'store_error', ${marker} from unnest(${marketIds}::int[]) as id
    on conflict (market_id, on_date) do update set reason = excluded.reason,
      marker = excluded.marker`.execute(tx);
  if (isDueAgain)
    await sql`/* reopen-run */
      update runs set finished_at = null, state = 'degraded'
      where date = ${day} and finished_at is not null`.execute(tx);
}
