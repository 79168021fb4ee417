import { sql, type RawBuilder } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** The outcomes of markets on a day. */
export interface MarketCounts {
  planned: number;
  done: number;
  shed: number;
  storeError: number;
  notServed: number;
  overQuota: number;
  notYetRun: number;
  paused: number;
}

/** The outcomes of the workspace's markets in a country of a store. */
export interface CountryCounts extends MarketCounts {
  date: string;
  store: StoreName;
  country: string;
}

const sumOf = (which: RawBuilder<unknown>) =>
  sql`coalesce(sum(markets) filter (where ${which}), 0)::int`;

/**
 * Counts a day by workspace, store and country, as `counts`. A market belongs to a day's plan when
 * a keyword of the workspace tracks it on that day, by the tracking periods; searches from before
 * that, or before its own check on its first day, belong to others.
 * Most keywords share the same few tracking periods, and `offset 0` lets each be parsed once.
 * Archived apps count only for what was checked on that day, neither as paused nor as over the
 * limit.
 */
const countsOn = (day: string, whose: RawBuilder<unknown>) => sql`
  followed as (
    select k.workspace_id, k.market_id, min(k.country) as country, min(l.store) as store,
      bool_or(term.depth > 0) as searched,
      bool_or(term.depth > 0 and not term.is_awaited) as own,
      bool_or(term.depth < 0 and is_tracked) as held,
      bool_or(term.depth = 0 and k.archived_at is null and is_tracked) as paused
    from keywords k join apps a on a.id = k.app_id join listings l on l.id = a.listing_id
    cross join lateral (select a.archived_at is null
      or ${day}::date < (a.archived_at at time zone 'UTC')::date as is_tracked) app
    cross join lateral (
      select case when k.tracking_periods->-1->>0 <= ${day}::text collate "C"
        then (k.tracking_periods->-1->>1)::int
        else (
          select (t.term->>1)::int
          from jsonb_array_elements(k.tracking_periods) with ordinality as t(term, ordinal)
          where t.term->>0 <= ${day}::text collate "C" order by t.ordinal desc limit 1
        ) end as depth, coalesce(k.tracking_periods->-1->>0 = ${day}::text
          and (k.tracking_periods->-1->>2)::int < 0
          and coalesce((k.tracking_periods->-2->>1)::int, 0) <= 0, false) as is_awaited offset 0
    ) term
    where ${whose}
    group by k.workspace_id, k.market_id
  ), met as (
    select f.workspace_id, f.country, f.store, f.searched, f.held, f.paused,
      m.market_id is not null and f.own as checked,
      case when f.own then g.reason end as reason, count(*)::int as markets
    from followed f
    left join market_months m on m.market_id = f.market_id
      and m.month = date_trunc('month', ${day}::timestamp)::date
      and get_byte(m.days, (extract(day from ${day}::date)::int - 1) * 4) > 0
    left join market_gaps g on g.market_id = f.market_id and g.on_date = ${day}::date
    where f.searched or f.held or f.paused
    group by 1, 2, 3, 4, 5, 6, 7, 8
  ), counts as (
    select m.workspace_id, m.store, m.country,
      ${sumOf(sql`searched or held`)} as planned,
      ${sumOf(sql`searched and checked`)} as done,
      ${sumOf(sql`searched and not checked and reason = 'shed'`)} as shed,
      ${sumOf(sql`searched and not checked and reason = 'store_error'`)} as store_error,
      ${sumOf(sql`searched and not checked and reason = 'not_served'`)} as not_served,
      ${sumOf(sql`held and not searched or searched and not checked and reason = 'over_quota'`)}
        as over_quota,
      ${sumOf(sql`searched and not checked and reason = 'not_yet_run'`)} as not_yet_run,
      ${sumOf(sql`paused and not searched and not held`)} as paused
    from met m group by m.workspace_id, m.store, m.country
  )`;

const columns = sql`
  store, country, planned, done, shed, store_error as "storeError", not_served as "notServed",
  over_quota as "overQuota", not_yet_run as "notYetRun", paused`;

/** Counts a day of the workspace from its current rows, by store and country in that order. */
export async function countMarketsNow(
  tx: Tx,
  workspaceId: number,
  day: string,
): Promise<CountryCounts[]> {
  const { rows } = await sql<
    Row<'count-markets-now', CountryCounts, 'date' | 'store' | 'country'>
  >`/* count-markets-now */
    with ${countsOn(day, sql`k.workspace_id = ${workspaceId}`)}
      select ${day}::text as date, ${columns} from counts order by store, country`.execute(tx);
  return rows;
}

/** The given days that are over and counted for the workspace. */
export async function listCountedDays(
  tx: Tx,
  workspaceId: number,
  days: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<Row<'list-counted-days'>>`
    select date from counted_days c where date = any(${[...days]}::date[])
      and not exists (select from days_to_count d
        where d.workspace_id = ${workspaceId} and d.date = c.date)`.execute(tx);
  return rows.map((row) => row.date);
}

/** The counted days of the workspace, by store and country in that order. */
export async function listRunCounts(
  tx: Tx,
  workspaceId: number,
  days: readonly string[],
): Promise<CountryCounts[]> {
  const { rows } = await sql<Row<'run-counts', CountryCounts, 'store'>>`/* run-counts */
    select date, ${columns} from run_counts where workspace_id = ${workspaceId}
      and date = any(${[...days]}::date[]) order by date, store, country`.execute(tx);
  return rows;
}

/** Days since the first run that are over, with a closed run and without counts, newest first. */
export async function listUncountedDays(
  db: Db,
  input: { today: string; lookbackDays: number; limit: number },
): Promise<string[]> {
  const { rows } = await sql<Row<'uncounted-days'>>`/* uncounted-days */
    select d.day::date as date
    from generate_series(
      greatest((select min(date) from runs), ${input.today}::date - ${input.lookbackDays}::int),
      ${input.today}::date - 1, '1 day') as d(day)
    where not exists (select from counted_days c where c.date = d.day)
      and not exists (select from runs r where r.date = d.day and r.finished_at is null)
    order by d.day desc limit ${input.limit}`.execute(db);
  return rows.map((row) => row.date);
}

/** Until it is counted again, the day is counted at each request. */
export async function deleteCountedDay(db: Db, day: string): Promise<void> {
  await sql`delete from counted_days where date = ${day}::date`.execute(db);
}

/** Makes a day that is over due to be counted, for each workspace. */
export async function requestCounts(systemTx: Tx, day: string): Promise<void> {
  await sql`insert into counted_days (date) values (${day}::date) on conflict do nothing`.execute(
    systemTx,
  );
  await sql`
    insert into days_to_count (workspace_id, date) select id, ${day}::date from workspaces
      order by id on conflict do nothing`.execute(systemTx);
}

/** The same for the workspaces with keywords in some markets, after a change of a counted day. */
export async function requestRecounts(
  db: Db,
  day: string,
  marketIds: readonly number[],
): Promise<void> {
  await sql`/* request-recounts */ ${recountsOf(
    day,
    sql`
    select unnest(${[...marketIds]}::int[]) as market_id`,
  )}`.execute(db);
}

/**
 * Makes the day due again for workspaces with keywords in the markets of a query, if it was counted
 * already. The update locks a row that is there: a count in progress ends first, and another one
 * follows.
 */
export const recountsOf = (day: string, markets: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into days_to_count (workspace_id, date)
  select distinct k.workspace_id, c.date from (${markets}) as changed
    join keywords k on k.market_id = changed.market_id
    join counted_days c on c.date = ${day}::date
  order by k.workspace_id
  on conflict (date, workspace_id) do update set date = excluded.date`;

/**
 * Counts the newest day of one workspace that is due and replaces earlier counts. Returns false
 * when none is due.
 */
export async function countNextDay(systemTx: Tx): Promise<boolean> {
  const { rows } = await sql<Row<'take-day-to-count'>>`/* take-day-to-count */
    delete from days_to_count where (date, workspace_id) in (
      select date, workspace_id from days_to_count order by date desc, workspace_id desc limit 1
      for update skip locked)
    returning workspace_id as "workspaceId", date`.execute(systemTx);
  const [next] = rows;
  if (!next) return false;
  const { workspaceId, date } = next;
  await sql`
    delete from run_counts where workspace_id = ${workspaceId} and date = ${date}::date`.execute(
    systemTx,
  );
  await sql`/* count-run-day */
    with ${countsOn(date, sql`k.workspace_id = ${workspaceId}`)}
    insert into run_counts (workspace_id, date, store, country, planned, done, shed, store_error,
      not_served, over_quota, not_yet_run, paused)
    select workspace_id, ${date}::date, store, country, planned, done, shed, store_error,
      not_served, over_quota, not_yet_run, paused from counts`.execute(systemTx);
  return true;
}
