import { sql } from 'kysely';
import type { StoreName } from '../../lib/store-name.ts';
import type { Db, Tx } from '../database.ts';
import type { ShedWork } from './runs.ts';

export interface RunDetails {
  date: string;
  state: 'running' | 'finished' | 'degraded' | 'overdue' | 'missed';
  openedAt: Date;
  finishedAt: Date | null;
  pressure: Partial<Record<StoreName, number>>;
  shed: ShedWork;
}

/** The first day that had a run while this workspace was there; null before there was one. */
export async function findFirstRunDay(tx: Tx, workspaceId: number): Promise<string | null> {
  const { rows } = await sql<{ date: string | null }>`
    select min(date) as date from runs
    where date >= (select (created_at at time zone 'UTC')::date from workspaces where id = ${workspaceId})`.execute(tx);
  return rows[0]?.date ?? null;
}

export async function listRunDetails(tx: Tx, days: readonly string[]): Promise<RunDetails[]> {
  const { rows } = await sql<RunDetails>`
    select date, state, opened_at as "openedAt", finished_at as "finishedAt", pressure, shed from runs where date = any(${[...days]}::date[])`.execute(
    tx,
  );
  return rows;
}

/** How markets met a day. */
export interface MarketCounts {
  planned: number;
  done: number;
  shed: number;
  storeError: number;
  overQuota: number;
  notYetRun: number;
  paused: number;
}

/** How the workspace's markets met a day. */
export interface MarketDayCounts extends MarketCounts {
  date: string;
}

/** Days that fit into the bits of a bigint, sign left out. */
export const maxDaysAtOnce = 60;

/**
 * A market belongs to a day's plan when any keyword of the workspace follows it on that day, by the keywords' terms:
 * days before the workspace followed it are nobody's business, whoever searched it then. Most keywords have the same
 * few terms: those are read once each, into a bit for each day, and what is done for every market is to count bits.
 */
export async function listMarketDayCounts(tx: Tx, workspaceId: number, days: readonly string[]): Promise<MarketDayCounts[]> {
  if (days.length > maxDaysAtOnce) throw new RangeError(`at most ${maxDaysAtOnce} days at once`);
  const { rows } = await sql<MarketDayCounts>`
    with days as materialized (
      select day, ordinal::int - 1 as bit, date_trunc('month', day::timestamp)::date as month from unnest(${[...days]}::date[]) with ordinality as d(day, ordinal)
    ), kept as materialized (
      select k.market_id, k.terms, k.archived_at is null as live, coalesce((a.archived_at at time zone 'UTC')::date, 'infinity') as app_until
      from keywords k join apps a on a.id = k.app_id where k.workspace_id = ${workspaceId}
    ), patterns as materialized (
      select terms, live, app_until, coalesce(bit_or(1::bigint << bit) filter (where depth > 0), 0) as followed,
        coalesce(bit_or(1::bigint << bit) filter (where depth = 0 and live), 0) as paused
      from (select distinct terms, live, app_until from kept) as kinds
      join days on days.day < kinds.app_until
      cross join lateral (
        select (t.term->>1)::int as depth from jsonb_array_elements(terms) with ordinality as t(term, ordinal)
        where (t.term->>0)::date <= days.day order by t.ordinal desc limit 1
      ) as newest group by terms, live, app_until
    ), markets as (
      select k.market_id, bit_or(p.followed) as followed, bit_or(p.paused) as paused
      from kept k join patterns p using (terms, live, app_until) group by k.market_id
    ), monthly as materialized (
      select m.*, months.month, mm.days from markets m cross join (select distinct month from days) as months
      left join market_months mm on mm.market_id = m.market_id and mm.month = months.month
    ), met as (
      select d.day, (m.followed >> d.bit) & 1 = 1 as planned, (m.paused >> d.bit) & 1 = 1 as paused, g.reason,
        coalesce(get_byte(m.days, (extract(day from d.day)::int - 1) * 4), 0) > 0 as checked
      from monthly m join days d on d.month = m.month and (m.followed | m.paused) >> d.bit & 1 = 1
      left join market_gaps g on g.market_id = m.market_id and g.on_date = d.day
    )
    select day as date,
      count(*) filter (where planned)::int as planned,
      count(*) filter (where planned and checked)::int as done,
      count(*) filter (where planned and not checked and reason = 'shed')::int as shed,
      count(*) filter (where planned and not checked and reason = 'store_error')::int as "storeError",
      count(*) filter (where planned and not checked and reason = 'over_quota')::int as "overQuota",
      count(*) filter (where planned and not checked and reason = 'not_yet_run')::int as "notYetRun",
      count(*) filter (where paused and not planned)::int as paused
    from met group by day`.execute(tx);
  return rows;
}

export interface ReadDayCounts {
  date: string;
  store: StoreName;
  planned: number;
  done: number;
  /** Known of the newest outcome of a listing only. */
  failed: number;
}

/** The same for the listings read in the countries of the workspace's apps. */
export async function listReadDayCounts(tx: Tx, workspaceId: number, days: readonly string[]): Promise<ReadDayCounts[]> {
  const { rows } = await sql<ReadDayCounts>`
    with pairs as (
      select listing_id, country, min(since) as since, bool_or(active) as active from (
        select a.listing_id, a.primary_country as country, (a.created_at at time zone 'UTC')::date as since, a.archived_at is null as active
        from apps a where a.workspace_id = ${workspaceId}
        union all
        select a.listing_id, k.country, (k.terms->0->>0)::date, a.archived_at is null and k.archived_at is null and not k.paused
        from keywords k join apps a on a.id = k.app_id where k.workspace_id = ${workspaceId}
      ) as wanted group by listing_id, country
    )
    select d.day as date, l.store,
      count(*) filter (where p.active or r.listing_id is not null)::int as planned,
      count(r.listing_id)::int as done,
      count(*) filter (where r.listing_id is null and s.settled_on = d.day and s.refreshed_on is distinct from d.day)::int as failed
    from unnest(${[...days]}::date[]) as d(day)
    join pairs p on p.since <= d.day
    join listings l on l.id = p.listing_id
    left join listing_days r on r.listing_id = p.listing_id and r.country = p.country and r.on_date = d.day
    left join listing_schedule s on s.listing_id = p.listing_id and s.country = p.country
    group by d.day, l.store`.execute(tx);
  return rows;
}

export interface CanaryDay {
  date: string;
  store: StoreName;
  state: 'ok' | 'degraded';
  triedAt: Date;
  marker: string | null;
}

export async function listCanaryDays(tx: Tx, days: readonly string[]): Promise<CanaryDay[]> {
  const { rows } = await sql<CanaryDay>`
    select date, store, state, tried_at as "triedAt", marker from canaries where date = any(${[...days]}::date[])`.execute(tx);
  return rows;
}

/** What the whole instance asked of each store. */
export async function listRequestDays(
  tx: Tx,
  days: readonly string[],
): Promise<{ date: string; store: StoreName; requests: number; refused: number }[]> {
  const { rows } = await sql<{ date: string; store: StoreName; requests: number; refused: number }>`
    select on_date as date, store, sum(requests)::float8 as requests, sum(refused)::float8 as refused
    from store_requests where on_date = any(${[...days]}::date[]) group by on_date, store`.execute(tx);
  return rows;
}

export async function hasOneWorkspace(systemDb: Db): Promise<boolean> {
  const { rows } = await sql`select id from workspaces limit 2`.execute(systemDb);
  return rows.length === 1;
}
