import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import {
  appSpans,
  competitorSpans,
  everyStorefrontOfApp,
  spanOfDay,
} from '../followed-spans/followed-spans.ts';
import { isDueOn, type StoreTaskKind } from './store-tasks.ts';

/** True while a store has tasks of these kinds left for the day; ordered as in hasRemaining. */
export async function hasDueStoreTasks(
  db: Db,
  store: StoreName,
  kinds: readonly StoreTaskKind[],
  day: string,
): Promise<boolean> {
  const { rows } = await sql<Row<'has-due-store-tasks'>>`/* has-due-store-tasks */
    select exists (
      select from unnest(${[...kinds]}::text[]) as due(kind) cross join lateral (
        select from store_tasks where store = ${store} and kind = due.kind and active
          and ${isDueOn(day)} order by due_from limit 1
      ) task
    ) as left`.execute(db);
  return rows[0]!.left;
}

/** Sheds at most `limit` of the day's store tasks of a store, except urgent ones. */
export async function shedStoreTasks(
  tx: Tx,
  input: { store: StoreName; kinds: readonly StoreTaskKind[]; day: string; limit: number },
): Promise<number> {
  const { store, kinds, day, limit } = input;
  const { rows } = await sql<Row<'shed-store-tasks'>>`/* shed-store-tasks */
    with due as (
      select t.id from unnest(${[...kinds]}::text[]) as shed(kind) cross join lateral (
        select id from store_tasks where store = ${store} and kind = shed.kind and active
          and urgent_at is null and ${isDueOn(day)} order by due_from limit ${limit}
      ) t limit ${limit}
    ), locked as (
      select id from store_tasks where id in (select id from due) and active
        and urgent_at is null and ${isDueOn(day)} order by id for update
    ), given_up as (
      update store_tasks c set completed_on = ${day}, queued_until = null, retry_at = null,
        last_marker = 'shed' from locked where c.id = locked.id returning c.id
    ), gaps as (
      insert into store_task_gaps (store_task_id, on_date, reason) select id, ${day}, 'shed'
        from given_up
      on conflict (store_task_id, on_date) do nothing
    )
    select count(*)::int as shed from given_up`.execute(tx);
  return rows[0]!.shed;
}

/**
 * Ends the day for the store tasks above `after` up to `until`, as `closeMarkets` does for markets.
 * A task that is not daily is completed, too, and due again on its next day. `+ 0` keeps the
 * planner from reading all that is due in each step. Returns how many.
 */
export async function closeStoreTasks(
  tx: Tx,
  { day, after, until }: { day: string; after: number; until: number },
): Promise<number> {
  const columns = sql`id, store, case when attempts_on = ${day}
    and (attempts > 0 or last_marker not in ('busy', 'late')) then last_marker end as marker`;
  const isKept = sql`queued_until is null and due_every = 1`;
  const { rows } = await sql<Row<'close-store-tasks'>>`/* close-store-tasks */
    with due as (
      select ${columns}, ${isKept} as is_kept from store_tasks
      where id > ${after} and id <= ${until} and active and due_from + 0 <= ${day}::date
        and (${day}::date - due_from) % due_every = 0
    ), locked as (
      select id from store_tasks where id in (select id from due where not is_kept) and active
        and ${isDueOn(day)} order by id for update
    ), completed as (
      update store_tasks set completed_on = ${day}, queued_until = null, retry_at = null
        where id in (select id from locked) returning ${columns}
    ), left_over as (
      select id, store, marker from due where is_kept
      union all select id, store, marker from completed
    ), gaps as (
      insert into store_task_gaps (store_task_id, on_date, reason, marker)
      select l.id, ${day}, case when l.marker is not null or c.store is not null
        then 'store_error' else 'not_yet_run' end, coalesce(l.marker, c.marker)
      from left_over l left join series_probes c on c.store = l.store and c.date = ${day}
        and c.state = 'degraded'
      on conflict (store_task_id, on_date) do nothing
    )
    select count(*)::int as closed from left_over`.execute(tx);
  return rows[0]!.closed;
}

export async function findLastStoreTaskId(db: Db | Tx): Promise<number> {
  const { rows } = await sql<Row<'find-last-store-task'>>`/* find-last-store-task */
    select coalesce(max(id), 0) as id from store_tasks`.execute(db);
  return rows[0]!.id;
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
      select a.listing_id, f.country, f.spans * ${appSpans} as spans
      from apps a cross join lateral (${everyStorefrontOfApp(workspaceId)}) f
      where a.workspace_id = ${workspaceId}
      union all
      select c.listing_id, a.primary_country, ${appSpans} * ${competitorSpans}
      from competitors c join apps a on a.id = c.app_id where c.workspace_id = ${workspaceId}
    ), own as (
      select c.id, c.kind, range_agg(p.spans) as spans
      from places p join store_task_demand d on d.listing_id = p.listing_id
        join store_tasks c on c.id = d.store_task_id and c.country = p.country
      group by c.id
      union all
      select c.id, c.kind, range_agg(tracked_spans(k.tracking_periods, k.created_at))
        from keywords k
        join store_tasks c on c.market_id = k.market_id
      where k.workspace_id = ${workspaceId} group by c.id
    )
    select g.on_date as date, o.kind, count(*)::int as count
    from own o join store_task_gaps g on g.store_task_id = o.id
    where g.on_date = any(${[...days]}::date[]) and g.reason = 'shed'
      and o.spans && ${spanOfDay(sql`g.on_date`)}
      group by g.on_date, o.kind`.execute(tx);
  return rows;
}
