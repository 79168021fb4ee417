import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { appSpans, everyStorefrontOfApp, spanOfDay } from '../followed-spans/followed-spans.ts';
import type { ShedWork } from './runs.ts';

export interface RunDetails {
  date: string;
  state: 'running' | 'finished' | 'degraded' | 'overdue' | 'missed';
  openedAt: Date;
  finishedAt: Date | null;
  pressure: Partial<Record<StoreName, number>>;
  shed: ShedWork;
}

/** The first day with a run since this workspace exists; null when there was none. */
export async function findFirstRunDay(tx: Tx, workspaceId: number): Promise<string | null> {
  const { rows } = await sql<Row<'find-first-run-day'>>`
    select min(date) as date from runs
    where date >= (select (created_at at time zone 'UTC')::date from workspaces
      where id = ${workspaceId})`.execute(tx);
  return rows[0]?.date ?? null;
}

export async function listRunDetails(tx: Tx, days: readonly string[]): Promise<RunDetails[]> {
  const { rows } = await sql<Row<'list-run-details', RunDetails, 'state' | 'pressure' | 'shed'>>`
    select date, state, opened_at as "openedAt", finished_at as "finishedAt", pressure, shed
      from runs where date = any(${[...days]}::date[])`.execute(tx);
  return rows;
}

export interface ReadDayCounts {
  date: string;
  store: StoreName;
  planned: number;
  done: number;
  /** Known only for the newest outcome of a listing. */
  failed: number;
}

/**
 * The outcomes of listings on the days on which the workspace followed them, in the countries of
 * its apps. Of a day in which a span ended only a reading counts that was made before.
 */
export async function listReadDayCounts(
  tx: Tx,
  workspaceId: number,
  days: readonly string[],
): Promise<ReadDayCounts[]> {
  const { rows } = await sql<Row<'list-read-day-counts', ReadDayCounts, 'date' | 'store'>>`
    with pairs as (
      select a.listing_id, f.country, range_agg(f.spans) * ${appSpans} as spans
      from apps a cross join lateral (${everyStorefrontOfApp(workspaceId)}) f
      where a.workspace_id = ${workspaceId} group by a.id, a.listing_id, f.country
    )
    select d.day as date, l.store,
      count(*) filter (where r.listing_id is not null or p.spans @> d.ends_at)::int as planned,
      count(r.listing_id)::int as done,
      count(*) filter (where r.listing_id is null and p.spans @> d.ends_at
        and s.completed_on = d.day and s.refreshed_on is distinct from d.day)::int as failed
    from (
      select day, (day + 1)::timestamp at time zone 'UTC' - interval '1 microsecond' as ends_at
      from unnest(${[...days]}::date[]) as day
    ) d
    join pairs p on p.spans && ${spanOfDay(sql`d.day`)}
    join listings l on l.id = p.listing_id
    left join listing_days r on r.listing_id = p.listing_id and r.country = p.country
      and r.on_date = d.day and own_reading(p.spans, d.day, r.read_at) is not null
    left join listing_schedule s on s.listing_id = p.listing_id and s.country = p.country
    group by d.day, l.store`.execute(tx);
  return rows;
}

export interface ProbeDay {
  date: string;
  store: StoreName;
  provider: string;
  /** Its results are the positions of the day. */
  isOfPositions: boolean;
  state: 'ok' | 'degraded';
  probedAt: Date;
  marker: string | null;
}

export async function listProbeDays(tx: Tx, days: readonly string[]): Promise<ProbeDay[]> {
  const { rows } = await sql<Row<'list-probe-days', ProbeDay, 'store' | 'state' | 'isOfPositions'>>`
    select date, store, provider, provider = position_provider(store, date) as "isOfPositions",
      state, probed_at as "probedAt", marker from store_probes
      where date = any(${[...days]}::date[])
      order by "isOfPositions" desc, provider`.execute(tx);
  return rows;
}

/** Markets of the workspace that only a fallback searched, by day and store. */
export async function listFallbackDays(
  tx: Tx,
  workspaceId: number,
  days: readonly string[],
): Promise<{ date: string; store: StoreName; markets: number }[]> {
  const { rows } = await sql<
    Row<'list-fallback-days', { date: string; store: StoreName; markets: number }, 'store'>
  >`/* list-fallback-days */
    select f.on_date as date, m.store, count(distinct f.market_id)::int as markets
    from keywords k join markets m on m.id = k.market_id
    join fallback_checks f on f.market_id = k.market_id and f.on_date = any(${[...days]}::date[])
    where k.workspace_id = ${workspaceId}
      and tracked_spans(k.tracking_periods, k.created_at) && ${spanOfDay(sql`f.on_date`)}
    group by f.on_date, m.store`.execute(tx);
  return rows;
}

/** The instance's requests to each store. */
export async function listRequestDays(
  tx: Tx,
  days: readonly string[],
): Promise<{ date: string; store: StoreName; requests: number; refused: number }[]> {
  const { rows } = await sql<
    Row<
      'list-request-days',
      { date: string; store: StoreName; requests: number; refused: number },
      'store' | 'requests' | 'refused'
    >
  >`
    select on_date as date, store, sum(requests)::float8 as requests,
      sum(refused)::float8 as refused
    from store_requests where on_date = any(${[...days]}::date[]) and kind <> 'image'
    group by on_date, store`.execute(tx);
  return rows;
}

export async function hasOneWorkspace(systemDb: Db): Promise<boolean> {
  const { rows } = await sql`select id from workspaces limit 2`.execute(systemDb);
  return rows.length === 1;
}
