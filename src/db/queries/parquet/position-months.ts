import { sql } from 'kysely';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { StoreName } from '#stores/profiles.ts';

/** The workspaces that are not deleted; for the system role. */
export async function listWorkspacesToExport(db: Db): Promise<number[]> {
  const { rows } = await sql<Row<'list-workspaces-to-export'>>`/* list-workspaces-to-export */
    select id from workspaces where delete_at is null order by id`.execute(db);
  return rows.map(({ id }) => id);
}

export interface ExportedApp {
  id: number;
  listingId: number;
  store: StoreName;
  storeAppId: string;
}

/** Apps that are not due for erasure. */
export async function listAppsToExport(
  db: Db,
  workspaceId: number,
  now: Date,
): Promise<ExportedApp[]> {
  const { rows } = await sql<
    Row<'list-apps-to-export', ExportedApp, 'store'>
  >`/* list-apps-to-export */
    select a.id, a.listing_id as "listingId", l.store, l.store_app_id as "storeAppId"
    from apps a join listings l on l.id = a.listing_id
    where a.workspace_id = ${workspaceId} and (a.purge_at is null or a.purge_at > ${now})
    order by a.id`.execute(db);
  return rows;
}

export interface PositionMonth {
  /** Its first day. */
  month: string;
  fingerprint: string;
}

/**
 * The months in which live keywords have days, up to `today`, with a fingerprint of every fact that
 * their positions are made of: it changes when one of them does. Reads each fact once, which takes
 * a fraction of the time of writing it. Only periods that began until the month's end count, so
 * that pausing a keyword today leaves earlier months as they are.
 */
export async function listPositionMonths(
  db: Db,
  workspaceId: number,
  { today, now }: { today: string; now: Date },
): Promise<PositionMonth[]> {
  const { rows } = await sql<Row<'position-months', PositionMonth>>`/* position-months */
    with followed as materialized (
      select k.id, k.market_id, a.listing_id, a.id as app_id, l.store, l.store_app_id, k.phrase,
        k.country, k.device, k.tracking_periods
      from keywords k join apps a on a.id = k.app_id join listings l on l.id = a.listing_id
      where k.workspace_id = ${workspaceId} and k.archived_at is null
        and (a.purge_at is null or a.purge_at > ${now})
    ), period as materialized (
      select f.id, (p.value->>0)::date as day, p.n, p.value
      from followed f
      cross join lateral jsonb_array_elements(f.tracking_periods) with ordinality as p(value, n)
    ), imported as materialized (
      select date_trunc('month', i.on_date)::date as month, min(i.on_date) as first_day,
        sum(hashtextextended(i::text, 0)) as hash
      from followed f join imported_daily_ranks i on i.keyword_id = f.id
      where i.on_date <= ${today}::date
      group by 1
    ), month as materialized (
      select m::date as month, (m + interval '1 month')::date as next
      from (
        select least((select min(day) from period), (select min(first_day) from imported)) as day
      ) first
      cross join lateral generate_series(date_trunc('month', first.day),
        ${today}::date::timestamp, interval '1 month') as m
    ), tracked as (
      select m.month, sum(hashtextextended(concat_ws('|', f.id, f.app_id, f.market_id, f.store,
        f.store_app_id, f.country, f.device, f.phrase, p.day, p.n, p.value), 1)) as hash
      from month m join period p on p.day <= m.next + 1 join followed f on f.id = p.id
      group by m.month
    ), ranked as (
      select r.month, sum(hashtextextended(concat_ws('|', r.listing_id, r.market_id,
        encode(r.daily_ranks, 'hex'), encode(r.depths, 'hex')), 2)) as hash
      from (select distinct listing_id, market_id from followed) f
      join rank_months r using (listing_id, market_id)
      group by r.month
    ), market as materialized (
      select distinct market_id from followed
    ), checked as (
      select d.month, sum(hashtextextended(concat_ws('|', d.market_id, encode(d.days, 'hex')), 3))
        as hash
      from market join market_months d using (market_id)
      group by d.month
    ), gap as (
      select date_trunc('month', g.on_date)::date as month,
        sum(hashtextextended(concat_ws('|', g.market_id, g.on_date, g.reason), 4)) as hash
      from market join market_gaps g using (market_id)
      group by 1
    ), fallback as (
      select date_trunc('month', b.on_date)::date as month,
        sum(hashtextextended(concat_ws('|', b.market_id, b.on_date, b.provider, b.depth,
          b.checked_at, b.listing_ids, b.positions), 5)) as hash
      from market join fallback_checks b using (market_id)
      group by 1
    )
    select m.month, md5(concat_ws(' ', 'positions 1', least(m.next - 1, ${today}::date), t.hash,
      coalesce(r.hash, 0), coalesce(c.hash, 0), coalesce(g.hash, 0), coalesce(b.hash, 0),
      coalesce(i.hash, 0), (
        select sum(hashtextextended(concat_ws('|', s.store, s.from_day, s.provider), 6))
        from position_series s where s.from_day < m.next
      ))) as fingerprint
    from month m
    left join tracked t using (month)
    left join ranked r using (month)
    left join checked c using (month)
    left join gap g using (month)
    left join fallback b using (month)
    left join imported i using (month)
    order by m.month`.execute(db);
  return rows;
}
