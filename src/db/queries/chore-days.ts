import { sql } from 'kysely';
import type { StoreName } from '../../lib/store-name.ts';
import type { Db, Tx } from '../database.ts';
import { isDue, type ChoreKind } from './chores.ts';

/** What is left of a day's chores, in requests. */
export async function countDueChores(
  db: Db | Tx,
  kinds: readonly ChoreKind[],
  day: string,
): Promise<{ store: StoreName; kind: ChoreKind; requests: number }[]> {
  const { rows } = await sql<{ store: StoreName; kind: ChoreKind; requests: number }>`
    select store, kind, sum(coalesce(usual_requests, usual_chore_requests(kind)))::float8 as requests
    from chores where active and ${isDue(kinds, day)} group by store, kind`.execute(db);
  return rows;
}

/** True while a store has chores of these kinds left for the day. */
export async function hasDueChores(
  db: Db,
  store: StoreName,
  kinds: readonly ChoreKind[],
  day: string,
): Promise<boolean> {
  const { rows } = await sql<{ left: boolean }>`/* has-due-chores */
    select exists (select from chores where store = ${store} and active and ${isDue(kinds, day)}) as left`.execute(
    db,
  );
  return rows[0]!.left;
}

/** Gives up the day of a store's chores, except what somebody waits for; says how many there were. */
export async function shedChores(
  tx: Tx,
  store: StoreName,
  kinds: readonly ChoreKind[],
  day: string,
): Promise<number> {
  const { rows } = await sql`
    with due as (
      select id from chores where store = ${store} and active and urgent_at is null and ${isDue(kinds, day)} order by id for update
    ), given_up as (
      update chores c set settled_on = ${day}, queued_until = null, retry_at = null, last_marker = 'shed' from due where c.id = due.id returning c.id
    )
    insert into chore_gaps (chore_id, on_date, reason) select id, ${day}, 'shed' from given_up
    on conflict (chore_id, on_date) do nothing returning chore_id`.execute(tx);
  return rows.length;
}

/** The day is over: chores without an outcome get their reason, as closeDay gives it to markets. Says how many. */
export async function closeChoreDay(
  tx: Tx,
  kinds: readonly ChoreKind[],
  day: string,
): Promise<number> {
  const { rows } = await sql`
    with due as (
      select id from chores where active and ${isDue(kinds, day)} order by id for update
    ), left_over as (
      update chores c set settled_on = ${day}, queued_until = null, retry_at = null from due where c.id = due.id
      returning c.id, store, case when attempts_on = ${day} and (attempts > 0 or last_marker not in ('busy', 'late')) then last_marker end as marker
    )
    insert into chore_gaps (chore_id, on_date, reason, marker)
    select l.id, ${day}, case when l.marker is not null or c.store is not null then 'store_error' else 'not_yet_run' end, coalesce(l.marker, c.marker)
    from left_over l left join canaries c on c.store = l.store and c.date = ${day} and c.state = 'degraded'
    on conflict (chore_id, on_date) do nothing returning chore_id`.execute(tx);
  return rows.length;
}

/** Chores of the workspace's apps that were shed, by day and kind. A day counts from when the workspace was there for it. */
export async function listShedDayCounts(
  tx: Tx,
  workspaceId: number,
  days: readonly string[],
): Promise<{ date: string; kind: ChoreKind; count: number }[]> {
  const { rows } = await sql<{ date: string; kind: ChoreKind; count: number }>`
    with places as (
      select listing_id, country, min(since) as since from (
        select a.listing_id, a.primary_country as country, (a.created_at at time zone 'UTC')::date as since
        from apps a where a.workspace_id = ${workspaceId}
        union all
        select a.listing_id, k.country, (k.terms->0->>0)::date from keywords k join apps a on a.id = k.app_id where k.workspace_id = ${workspaceId}
        union all
        select c.listing_id, a.primary_country, (c.created_at at time zone 'UTC')::date
        from competitors c join apps a on a.id = c.app_id where c.workspace_id = ${workspaceId}
      ) as wanted group by listing_id, country
    ), own as (
      select c.id, c.kind, min(p.since) as since
      from places p join chore_demand d on d.listing_id = p.listing_id join chores c on c.id = d.chore_id and c.country = p.country
      group by c.id
      union all
      select c.id, c.kind, min((k.terms->0->>0)::date) from keywords k join chores c on c.market_id = k.market_id
      where k.workspace_id = ${workspaceId} group by c.id
    )
    select g.on_date as date, o.kind, count(*)::int as count
    from own o join chore_gaps g on g.chore_id = o.id
    where g.on_date = any(${[...days]}::date[]) and g.reason = 'shed' and g.on_date >= o.since group by g.on_date, o.kind`.execute(
    tx,
  );
  return rows;
}
