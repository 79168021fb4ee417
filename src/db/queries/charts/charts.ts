import { sql } from 'kysely';
import type { ChartName } from '#stores/profiles.ts';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface StoredChart {
  storeTaskId: number;
  day: string;
  /** The number of positions that the store showed. */
  depth: number;
  readAt: Date;
  /** Listing ids of four bytes each, first position first. */
  ids: Buffer;
}

/** Stores the chart of a day. A later reading of the same day replaces it. */
export async function upsertChart(db: Db, chart: StoredChart): Promise<void> {
  await sql`/* upsert-chart */
    insert into charts (store_task_id, on_date, depth, read_at, ids)
      values (${chart.storeTaskId}, ${chart.day}, ${chart.depth}, ${chart.readAt},
      ${chart.ids}::bytea)
    on conflict (store_task_id, on_date) do update
      set depth = excluded.depth, read_at = excluded.read_at, ids = excluded.ids`.execute(db);
}

/** Ids of known listings, by the store's own id. */
export async function findListingIds(
  db: Db,
  store: StoreName,
  storeAppIds: string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<Row<'find-listing-ids'>>`/* find-listing-ids */
    select id, store_app_id as "storeAppId" from listings
      where store = ${store} and store_app_id = any(${storeAppIds})`.execute(db);
  return new Map(rows.map((row) => [row.storeAppId, row.id]));
}

/** An app with what is needed to read its charts. */
export interface ChartedApp {
  id: number;
  listingId: number;
  store: StoreName;
  primaryCountry: string;
  createdAt: Date;
  archivedAt: Date | null;
  /** The spans between archiving and restoring, as `ArchivedSpan`, oldest first. */
  archivedSpans: unknown;
}

/** Apps of the workspace that are not due for erasure: one by its id, or all of a store. */
export async function listChartedApps(
  tx: Tx,
  workspaceId: number,
  which: { appId: number } | { store: StoreName },
  now: Date,
): Promise<ChartedApp[]> {
  const { rows } = await sql<Row<'list-charted-apps', ChartedApp, 'store'>>`
    select a.id, a.listing_id as "listingId", l.store, a.primary_country as "primaryCountry",
      a.created_at as "createdAt", a.archived_at as "archivedAt",
      a.archived_spans as "archivedSpans"
    from apps a join listings l on l.id = a.listing_id
    where a.workspace_id = ${workspaceId} and (a.purge_at is null or a.purge_at > ${now})
      and ${'appId' in which ? sql`a.id = ${which.appId}` : sql`l.store = ${which.store}`}
        order by a.id`.execute(tx);
  return rows;
}

/**
 * The distinct tracking periods of the apps' keywords by country, including those of archived
 * keywords.
 */
export async function listCountryTrackingPeriods(
  tx: Tx,
  appIds: number[],
): Promise<
  { appId: number; country: string; trackingPeriods: unknown; archivedAt: Date | null }[]
> {
  const { rows } = await sql<Row<'list-country-tracking-periods'>>`
    select app_id as "appId", country, tracking_periods as "trackingPeriods",
      max(archived_at) as "archivedAt"
    from keywords where app_id = any(${appIds})
    group by app_id, country, tracking_periods, archived_at is null
    order by app_id, country`.execute(tx);
  return rows;
}

/**
 * The facts that decide in which charts a listing may be ranked, each with its first instant,
 * oldest first. `category` is the name that the store gives.
 */
export interface ChartFacts {
  listingId: number;
  takenAt: Date;
  categoryId: string | null;
  category: string | null;
  costs: boolean | null;
  sells: boolean | null;
}

/**
 * The rows of a listing in a country that differ from the previous one. The fields of a snapshot
 * are decompressed by each access, so that one call reads all four.
 */
export async function listChartFacts(
  tx: Tx,
  homes: { listingId: number; country: string }[],
): Promise<ChartFacts[]> {
  const { rows } = await sql<Row<'list-chart-facts', ChartFacts>>`
    select "listingId", "takenAt", "categoryId", category, costs, sells from (
      select s.listing_id as "listingId", s.taken_at as "takenAt", facts.*, (facts.*)
        is distinct from lag(facts.*) over (partition by s.listing_id order by s.id) as is_new
      from unnest(${homes.map((home) => home.listingId)}::int[],
        ${homes.map((home) => home.country)}::text[]) as home(listing_id, country)
      join snapshots s on s.listing_id = home.listing_id and s.country = home.country
      cross join lateral (
        select substring(shown."categoryId" from '^[A-Za-z0-9_]{1,60}$') as "categoryId",
          shown.category, shown."priceMicros" > 0 as costs, shown."inAppPurchases" as sells
        from jsonb_to_record(s.fields) as shown("categoryId" text, category text,
          "priceMicros" float8, "inAppPurchases" boolean)
        offset 0
      ) as facts
    ) as steps where is_new order by "listingId", "takenAt"`.execute(tx);
  return rows;
}

/** The position of a listing in a chart on a day, or the reason why it is unknown. */
export interface ChartDay {
  storeTaskId: number;
  date: string;
  /** Null: not read, see `reason`. */
  depth: number | null;
  readAt: Date | null;
  /** 0: not in the chart. */
  position: number | null;
  reason: 'shed' | 'store_error' | 'not_yet_run' | null;
}

export interface ChartIdentity {
  storeTaskId: number;
  country: string;
  category: string | null;
  chart: ChartName;
}

/** The charts of a store in some countries that were ever requested. */
export async function listCharts(
  tx: Tx,
  store: StoreName,
  countries: string[],
  categories: string[],
): Promise<ChartIdentity[]> {
  const { rows } = await sql<Row<'list-charts', ChartIdentity, 'chart'>>`
    select id as "storeTaskId", country, category, chart from store_tasks
    where store = ${store} and kind = 'chart' and country = any(${countries})
      and (category is null or category = any(${categories}))`.execute(tx);
  return rows;
}

/**
 * Days with a reading or a reason. The position is the first aligned match of the listing's four
 * bytes. Bytes of two neighbours can match too, so when the first match is unaligned, all positions
 * are compared.
 */
export async function listChartDays(
  tx: Tx,
  input: { storeTaskIds: number[]; listingId: number; from: string; to: string },
): Promise<ChartDay[]> {
  const idBytes = sql`int4send(${input.listingId}::int)`;
  const { rows } = await sql<Row<'chart-days', ChartDay, 'reason'>>`/* chart-days */
    select c.store_task_id as "storeTaskId", c.on_date as date, c.depth, c.read_at as "readAt",
      case when at.first = 0 then 0 when at.first % 4 = 1 then at.first / 4 + 1 else coalesce((
        select n from generate_series(1, length(c.ids) / 4) as n
          where substring(c.ids from n * 4 - 3 for 4) = ${idBytes} limit 1), 0) end as position,
      null as reason
    from charts c cross join lateral (select position(${idBytes} in c.ids) as first) as at
    where c.store_task_id = any(${input.storeTaskIds}) and c.on_date between ${input.from}
      and ${input.to}
    union all
    select store_task_id, on_date, null, null, null, reason from store_task_gaps
    where store_task_id = any(${input.storeTaskIds}) and on_date between ${input.from}
      and ${input.to}`.execute(tx);
  return rows;
}

/** The stored charts of tasks from `from` to `to`. */
export async function listStoredCharts(
  tx: Tx,
  range: { storeTaskIds: number[]; from: string; to: string },
): Promise<StoredChart[]> {
  const { rows } = await sql<Row<'stored-charts', StoredChart>>`/* stored-charts */
    select store_task_id as "storeTaskId", on_date as day, depth, read_at as "readAt", ids
    from charts where store_task_id = any(${range.storeTaskIds}::int[])
      and on_date between ${range.from}::date and ${range.to}::date`.execute(tx);
  return rows;
}

export async function findChart(
  tx: Tx,
  storeTaskId: number,
  day: string,
): Promise<StoredChart | undefined> {
  const { rows } = await sql<Row<'find-chart', StoredChart>>`
    select store_task_id as "storeTaskId", on_date as day, depth, read_at as "readAt", ids
      from charts where store_task_id = ${storeTaskId} and on_date = ${day}`.execute(tx);
  return rows[0];
}

/** The days on which a chart was read, oldest first. */
export async function listChartDates(
  tx: Tx,
  storeTaskId: number,
  range: { from: string; to: string },
): Promise<string[]> {
  const { rows } = await sql<Row<'list-chart-dates'>>`
    select on_date as date from charts where store_task_id = ${storeTaskId}
      and on_date between ${range.from} and ${range.to} order by on_date`.execute(tx);
  return rows.map((row) => row.date);
}

/** The reason why a chart was not read on a day, if it is known. */
export async function findChartGap(
  tx: Tx,
  storeTaskId: number,
  day: string,
): Promise<ChartDay['reason'] | undefined> {
  const { rows } = await sql<
    Row<'find-chart-gap', { reason: NonNullable<ChartDay['reason']> }, 'reason'>
  >`
    select reason from store_task_gaps
    where store_task_id = ${storeTaskId} and on_date = ${day}`.execute(tx);
  return rows[0]?.reason;
}
