import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#db/database.ts';
import { endPublication, itemsOf } from './facts-to-publish.ts';

/** The store task of an item's chart, as `t`. */
const isTask = sql`t.store = l.store and t.kind = 'chart' and t.country = g.item->>'country'
  and t.listing_id is null and t.market_id is null and t.chart = g.item->>'chart'
  and t.category is not distinct from g.item->'category'->>'id'`;

const hasChart: RawBuilder<unknown> = sql`exists (
  select from listings l join store_tasks t on ${isTask}
    join charts c on c.store_task_id = t.id and c.on_date = (g.item->>'date')::date
  where l.id = g.listing_id)`;

/**
 * Publishes whole charts of days on which this instance read none and has no reason for that. A
 * chart that nobody requests yet becomes an inactive store task.
 */
export async function publishCharts(
  tx: Tx,
  workspaceId: number,
  ids: readonly string[],
): Promise<void> {
  const given = itemsOf(workspaceId, ids);
  await sql`/* publish-chart-apps */
    insert into listings (store, store_app_id, name, named_in, named_on)
    select distinct on (l.store, app->>'storeAppId' collate "C") l.store, app->>'storeAppId',
      app->>'name', case when app->>'name' is not null then g.item->>'country' end,
      case when app->>'name' is not null then (g.item->>'date')::date end
    from ${given} as g join listings l on l.id = g.listing_id
      cross join lateral jsonb_array_elements(g.item->'apps') as app
    order by 1, app->>'storeAppId' collate "C"
    on conflict (store, store_app_id) do nothing`.execute(tx);
  await sql`/* publish-chart-names */
    insert into listing_names (listing_id, country, name, read_on)
    select distinct on (i.id, g.item->>'country') i.id, g.item->>'country', app->>'name',
      (g.item->>'date')::date
    from ${given} as g join listings l on l.id = g.listing_id
      cross join lateral jsonb_array_elements(g.item->'apps') as app
      join listings i on i.store = l.store and i.store_app_id = app->>'storeAppId'
    where app->>'name' is not null and i.named_in is distinct from g.item->>'country'
    order by 1, 2, 4 desc
    on conflict (listing_id, country) do nothing`.execute(tx);
  await sql`/* publish-chart-tasks */
    insert into store_tasks (store, kind, country, chart, category, active)
    select distinct l.store, 'chart', g.item->>'country', g.item->>'chart',
      g.item->'category'->>'id', false
    from ${given} as g join listings l on l.id = g.listing_id
    where not exists (select from store_tasks t where ${isTask})
    order by 1, 3, 4, 5 on conflict do nothing`.execute(tx);
  await sql`/* publish-charts */
    insert into charts (store_task_id, on_date, depth, read_at, ids)
    select distinct on (t.id, g.item->>'date') t.id, (g.item->>'date')::date,
      (g.item->>'depth')::smallint, (g.item->>'readAt')::timestamptz, coalesce((
        select string_agg(int4send(i.id), ''::bytea order by app.number)
        from jsonb_array_elements(g.item->'apps') with ordinality as app(entry, number)
          join listings i on i.store = l.store and i.store_app_id = app.entry->>'storeAppId'
      ), ''::bytea)
    from ${given} as g join listings l on l.id = g.listing_id
      join store_tasks t on ${isTask}
    where not exists (select from store_task_gaps x where x.store_task_id = t.id
      and x.on_date = (g.item->>'date')::date)
    order by t.id, g.item->>'date', (g.item->>'readAt')::timestamptz
    on conflict (store_task_id, on_date) do nothing`.execute(tx);
  await endPublication(tx, workspaceId, ids, hasChart);
}

/** An item by its row and its number within the row, from 1 on. */
export interface ItemKey {
  rowId: string;
  number: number;
}

/** Ranks follow from a chart that is a public fact, where the app's ranks in it are shown. */
export function publishCategoryRanks(
  tx: Tx,
  workspaceId: number,
  { ids, shown }: { ids: readonly string[]; shown: readonly ItemKey[] },
): Promise<void> {
  const isShown = sql`(g.row_id, g.number) in (
    select * from unnest(${shown.map(({ rowId }) => rowId)}::bigint[],
      ${shown.map(({ number }) => number)}::bigint[]))`;
  return endPublication(tx, workspaceId, ids, sql`${isShown} and ${hasChart}`);
}
