import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { isDue, type StoreTaskKind } from './store-tasks.ts';

/** The remaining store tasks of a day, in requests. */
export async function countDueStoreTasks(
  db: Db | Tx,
  kinds: readonly StoreTaskKind[],
  day: string,
): Promise<{ store: StoreName; kind: StoreTaskKind; requests: number }[]> {
  const { rows } = await sql<
    Row<
      'count-due-store-tasks',
      { store: StoreName; kind: StoreTaskKind; requests: number },
      'store' | 'kind' | 'requests'
    >
  >`
    select store, kind,
      sum(coalesce(store_tasks.usual_requests, store_task_kinds.usual_requests))::float8 as requests
    from store_tasks join store_task_kinds using (store, kind)
    where active and ${isDue(kinds, day)}
    group by store, kind`.execute(db);
  return rows;
}

/** True while a store has tasks of these kinds left for the day. */
export async function hasDueStoreTasks(
  db: Db,
  store: StoreName,
  kinds: readonly StoreTaskKind[],
  day: string,
): Promise<boolean> {
  const { rows } = await sql<Row<'has-due-store-tasks'>>`/* has-due-store-tasks */
    select exists (
      select from store_tasks where store = ${store} and active and ${isDue(kinds, day)}
    ) as left`.execute(db);
  return rows[0]!.left;
}

/** Sheds the day's store tasks of a store, except urgent ones, and returns how many. */
export async function shedStoreTasks(
  tx: Tx,
  store: StoreName,
  kinds: readonly StoreTaskKind[],
  day: string,
): Promise<number> {
  const { rows } = await sql`
    with due as (
      select id from store_tasks where store = ${store} and active and urgent_at is null
        and ${isDue(kinds, day)} order by id for update
    ), given_up as (
      update store_tasks c set completed_on = ${day}, queued_until = null, retry_at = null,
        last_marker = 'shed' from due where c.id = due.id returning c.id
    )
    insert into store_task_gaps (store_task_id, on_date, reason) select id, ${day}, 'shed'
      from given_up
    on conflict (store_task_id, on_date) do nothing returning store_task_id`.execute(tx);
  return rows.length;
}

/**
 * Ends the day: store tasks without an outcome get a gap with its reason, as `closeDay` does for
 * markets. Returns how many.
 */
export async function closeStoreTaskDay(
  tx: Tx,
  kinds: readonly StoreTaskKind[],
  day: string,
): Promise<number> {
  const { rows } = await sql`
    with due as (
      select id from store_tasks where active and ${isDue(kinds, day)} order by id for update
    ), left_over as (
      update store_tasks c set completed_on = ${day}, queued_until = null, retry_at = null from due
        where c.id = due.id
      returning c.id, store, case when attempts_on = ${day}
        and (attempts > 0 or last_marker not in ('busy', 'late')) then last_marker end as marker
    )
    insert into store_task_gaps (store_task_id, on_date, reason, marker)
    select l.id, ${day}, case when l.marker is not null or c.store is not null then 'store_error'
      else 'not_yet_run' end, coalesce(l.marker, c.marker)
    from left_over l left join series_probes c on c.store = l.store and c.date = ${day}
      and c.state = 'degraded'
    on conflict (store_task_id, on_date) do nothing returning store_task_id`.execute(tx);
  return rows.length;
}

/**
 * The workspace's store tasks that were shed, by day and kind, on days on which the workspace
 * requested them.
 */
export async function listShedDayCounts(
  tx: Tx,
  workspaceId: number,
  days: readonly string[],
): Promise<{ date: string; kind: StoreTaskKind; count: number }[]> {
  const { rows } = await sql<
    Row<'list-shed-day-counts', { date: string; kind: StoreTaskKind; count: number }, 'kind'>
  >`
    with places as (
      select listing_id, country, min(since) as since from (
        select a.listing_id, a.primary_country as country,
          (a.created_at at time zone 'UTC')::date as since
        from apps a where a.workspace_id = ${workspaceId}
        union all
        select a.listing_id, k.country, (k.tracking_periods->0->>0)::date from keywords k
          join apps a on a.id = k.app_id where k.workspace_id = ${workspaceId}
        union all
        select c.listing_id, a.primary_country, (c.created_at at time zone 'UTC')::date
        from competitors c join apps a on a.id = c.app_id where c.workspace_id = ${workspaceId}
      ) as requested group by listing_id, country
    ), own as (
      select c.id, c.kind, min(p.since) as since
      from places p join store_task_demand d on d.listing_id = p.listing_id
        join store_tasks c on c.id = d.store_task_id and c.country = p.country
      group by c.id
      union all
      select c.id, c.kind, min((k.tracking_periods->0->>0)::date) from keywords k
        join store_tasks c on c.market_id = k.market_id
      where k.workspace_id = ${workspaceId} group by c.id
    )
    select g.on_date as date, o.kind, count(*)::int as count
    from own o join store_task_gaps g on g.store_task_id = o.id
    where g.on_date = any(${[...days]}::date[]) and g.reason = 'shed' and g.on_date >= o.since
      group by g.on_date, o.kind`.execute(tx);
  return rows;
}
