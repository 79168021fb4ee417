import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/**
 * Rows that nobody waits for yet get the next rounds of the workspace, in the requested order. Of
 * two workspaces that wait for a row, the earlier round is kept.
 */
const earlierRound = (workspaceId: number) => sql`
  urgent_by = case when s.urgent_at is null or rounds.round < s.urgent_round
    then ${workspaceId}::int else s.urgent_by end,
  urgent_round = case when s.urgent_at is null then rounds.round
    else least(s.urgent_round, rounds.round) end`;

/**
 * Marks markets that have no outcome of the day as urgent, and returns how many. `includeCompleted`
 * adds completed ones, for keywords that are new to a market: their position comes from the day's
 * results or from another search.
 */
export async function markMarketsUrgent(
  tx: Tx,
  workspaceId: number,
  marketIds: number[],
  { day, now, includeCompleted = false }: { day: string; now: Date; includeCompleted?: boolean },
): Promise<number> {
  const { rows } = await sql`/* mark-markets-urgent */
    with due as materialized (
      select market_id, store, ordinal
      from unnest(${marketIds}::int[]) with ordinality as waited(market_id, ordinal)
      join market_schedule as s using (market_id)
      where depth > 0
        and (${includeCompleted}::boolean or completed_on is null or completed_on < ${day})
      order by market_id for update of s
    ), last_rounds as materialized (
      select store, last_market_round(store, ${workspaceId}) as last_round
      from (select distinct store from due) as stores
    ), rounds as (
      select market_id,
        last_round + row_number() over (partition by store order by ordinal)::int as round
      from due join last_rounds using (store)
    )
    update market_schedule s set urgent_at = coalesce(s.urgent_at, ${now}), retry_at = null,
      ${earlierRound(workspaceId)}
    from rounds where s.market_id = rounds.market_id
    returning s.urgent_round`.execute(tx);
  return rows.length;
}

/**
 * Marks listings that have no outcome of the day as urgent, in these countries or in all in which
 * they are read.
 */
export async function markListingsUrgent(
  tx: Tx,
  workspaceId: number,
  listingIds: number[],
  { day, now, countries = null }: { day: string; now: Date; countries?: string[] | null },
): Promise<number> {
  const { rows } = await sql`/* mark-listings-urgent */
    with due as materialized (
      select listing_id, country, store, ordinal
      from unnest(${listingIds}::int[]) with ordinality as waited(listing_id, ordinal)
      join listing_schedule as s using (listing_id)
      where active
        and (${countries}::text[] is null or country = any(${countries}))
        and (completed_on is null or completed_on < ${day})
      order by listing_id, country for update of s
    ), last_rounds as materialized (
      select store, last_listing_round(store, ${workspaceId}) as last_round
      from (select distinct store from due) as stores
    ), rounds as (
      select listing_id, country,
        last_round + row_number() over (partition by store order by ordinal)::int as round
      from due join last_rounds using (store)
    )
    update listing_schedule s set urgent_at = coalesce(s.urgent_at, ${now}), retry_at = null,
      ${earlierRound(workspaceId)}
    from rounds where s.listing_id = rounds.listing_id and s.country = rounds.country
    returning s.urgent_round`.execute(tx);
  return rows.length;
}

/**
 * Marks store tasks as urgent and returns how many. Tasks with a response of the day are skipped
 * unless they are to be repeated (`includeCompleted`); tasks with a gap are tried again.
 */
export async function markStoreTasksUrgent(
  tx: Tx,
  workspaceId: number,
  storeTaskIds: number[],
  { day, now, includeCompleted = false }: { day: string; now: Date; includeCompleted?: boolean },
): Promise<number> {
  const { rows } = await sql`/* mark-store-tasks-urgent */
    with due as materialized (
      select id, store, ordinal
      from unnest(${storeTaskIds}::int[]) with ordinality as waited(id, ordinal)
      join store_tasks as s using (id)
      where active
        and (${includeCompleted}::boolean or read_on is null or read_on < ${day})
      order by id for update of s
    ), last_rounds as materialized (
      select store, last_store_task_round(store, ${workspaceId}) as last_round
      from (select distinct store from due) as stores
    ), rounds as (
      select id,
        last_round + row_number() over (partition by store order by ordinal)::int as round
      from due join last_rounds using (store)
    )
    update store_tasks s set urgent_at = coalesce(s.urgent_at, ${now}), retry_at = null,
      ${earlierRound(workspaceId)}
    from rounds where s.id = rounds.id
    returning s.urgent_round`.execute(tx);
  return rows.length;
}
