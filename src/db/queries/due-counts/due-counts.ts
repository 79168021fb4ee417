import { sql, type RawBuilder } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { StoreTaskKind } from '../store-tasks/store-tasks.ts';

// Triggers add rows to due_counts with every change of the schedules (0040_due_counts.sql).

export interface Remaining {
  store: StoreName;
  markets: number;
  marketRequests: number;
  listingRequests: number;
}

const isDueOn = (day: string): RawBuilder<unknown> => sql`
  c.due_from <= ${day}::date and (${day}::date - c.due_from) % c.due_every = 0`;

/** The remaining work of a day by store, in checks and in requests. */
export async function countRemaining(db: Db | Tx, day: string): Promise<Remaining[]> {
  const { rows } = await sql<Row<'count-remaining', Remaining, 'store'>>`/* count-remaining */
    select stores.store, coalesce(m.markets, 0)::int as markets,
      coalesce(m.requests, 0)::float8 as "marketRequests",
      coalesce(l.requests, 0)::float8 as "listingRequests"
    from stores
    left join (
      select store, sum(tasks) as markets, sum(requests
        + case when unknown_depth is null then 0
          else tasks * search_requests(stores, unknown_depth) end) as requests
      from due_counts c join stores using (store)
      where kind = 'rank-check' and ${isDueOn(day)} group by store
    ) m on m.store = stores.store
    left join (
      select store, sum(ceil(listings::float8 / listings_per_request)) as requests from (
        select store, country, sum(tasks) as listings from due_counts c
          where kind = 'app-refresh' and ${isDueOn(day)} group by store, country
      ) as by_country join stores using (store) group by store
    ) l on l.store = stores.store`.execute(db);
  return rows;
}

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
  >`/* count-due-store-tasks */
    select store, kind, sum(requests
      + case when unknown_depth is null then 0 else tasks * usual_requests end)::float8 as requests
    from due_counts c join store_task_kinds using (store, kind)
    where kind = any(${[...kinds]}::text[]) and ${isDueOn(day)} group by store, kind
    having sum(tasks) > 0`.execute(db);
  return rows;
}

/** Counts the listings of some stores that have no outcome of a day. */
export async function countUnreadListings(
  tx: Tx,
  stores: readonly StoreName[],
  day: string,
): Promise<number> {
  const { rows } = await sql<Row<'count-unread-listings'>>`/* count-unread-listings */
    select coalesce(sum(tasks), 0)::int as unread from due_counts c
    where kind = 'app-refresh' and store = any(${[...stores]}::text[]) and ${isDueOn(day)}`.execute(
    tx,
  );
  return rows[0]!.unread;
}

/** The number of rows that merging removes. */
export async function countMergeable(db: Db): Promise<number> {
  const { rows } = await sql<Row<'count-mergeable'>>`/* count-mergeable */
    select (count(*) - count(distinct (kind, store, country, due_from, due_every, is_checked,
      unknown_depth)))::int as count from due_counts`.execute(db);
  return rows[0]!.count;
}

/**
 * Merges at most `limit` rows into one for each key. Rows that another process merges are left
 * alone. Returns how many rows there were.
 */
export async function mergeDueCounts(tx: Tx, limit: number): Promise<number> {
  const { rows } = await sql<Row<'merge-due-counts'>>`/* merge-due-counts */
    with taken as (
      delete from due_counts where ctid in (
        select ctid from due_counts limit ${limit} for update skip locked) returning *
    ), merged as (
      insert into due_counts (kind, store, country, due_from, due_every, is_checked,
        unknown_depth, tasks, requests)
      select kind, store, country, due_from, due_every, is_checked, unknown_depth, sum(tasks),
        sum(requests)
      from taken group by 1, 2, 3, 4, 5, 6, 7 having sum(tasks) <> 0 or sum(requests) <> 0
    )
    select count(*)::int as taken from taken`.execute(tx);
  return rows[0]!.taken;
}
