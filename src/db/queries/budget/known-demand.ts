import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { demand, demandOf, homesOf, lastRunEnd } from './budget-demand.ts';
import type { DemandRow, HypotheticalKeyword } from './budgets.ts';

/**
 * The depth to which this workspace already searches each of the markets; markets that it does not
 * search are missing. Undefined when the kept sums are older than the newest run, which has
 * measured costs, or when there are fewer than `leastMarkets`, whose sums are computed as quickly.
 */
export async function listSearchedDepths(
  tx: Tx,
  workspaceId: number,
  { marketIds, leastMarkets, today }: { marketIds: number[]; leastMarkets: number; today: string },
): Promise<Map<number, number> | undefined> {
  const { rows } = await sql<Row<'list-searched-depths'>>`/* list-searched-depths */
    select coalesce(array_agg(market_id), '{}') as "marketIds",
      coalesce(array_agg(depth), '{}') as depths
    from (
      select k.market_id, max(k.depth) as depth from keywords k join apps a on a.id = k.app_id
      where k.workspace_id = ${workspaceId} and k.market_id = any(${marketIds}::int[])
        and k.archived_at is null and not k.paused and not k.held and a.archived_at is null
      group by k.market_id
    ) as searched
    having (select budget_refreshed_at from workspaces where id = ${workspaceId})
        >= coalesce(${lastRunEnd(today)}, '-infinity')
      and (select bool_and(market_sums is not null) and sum(markets) >= ${leastMarkets}::int
      from budgets where workspace_id = ${workspaceId})`.execute(tx);
  const found = rows[0];
  return found && new Map(found.marketIds.map((id, index) => [id, found.depths[index]!]));
}

/** A keyword whose market has no result that this workspace has seen; it may search it already. */
export interface UnseenKeyword extends Pick<
  HypotheticalKeyword,
  'listingId' | 'store' | 'country' | 'device' | 'depth'
> {
  isSearched: boolean;
}

/**
 * The cost of a workspace's day with additions, from the sums of its markets that are kept with its
 * budget. It equals that of `listDemand` when these are fresh, and reads one row for each country
 * of an app instead of all keywords.
 */
export async function listKnownDemand(
  tx: Tx,
  workspaceId: number,
  added: UnseenKeyword[],
): Promise<DemandRow[]> {
  const { rows } = await sql<
    Row<'list-known-demand', DemandRow, 'store' | 'storeTasks'>
  >`/* list-known-demand */
    with recursive countries as (
      select a.id as app_id, l.store, a.listing_id, '' as country, null::timestamptz as created_at
      from apps a join listings l on l.id = a.listing_id
      where a.workspace_id = ${workspaceId} and a.archived_at is null
      union all
      select c.app_id, c.store, c.listing_id, next.country, next.created_at
      from countries c cross join lateral (
        select k.country, k.created_at from keywords k
        where k.workspace_id = ${workspaceId} and k.app_id = c.app_id and k.country > c.country
          and k.archived_at is null and not k.paused and not k.held
        order by k.country, k.created_at limit 1
      ) as next
    ), added as (
      select n.listing_id, n.store, n.country, n.device,
        search_requests(stores, n.depth) as planned, n.is_searched
      from jsonb_to_recordset(${JSON.stringify(added.map(toRecord))}::jsonb)
        as n(listing_id int, store text, country text, device text, depth smallint,
          is_searched boolean) join stores using (store)
    ), visited as (
      select ${workspaceId}::int as workspace_id, store, listing_id, country,
        (created_at at time zone 'UTC')::date as since from countries where country <> ''
      union all
      select ${workspaceId}::int, store, listing_id, country, null from added
    ), ${homesOf(workspaceId)}, market_sums as (
      select ${workspaceId}::int as workspace_id, store, country, device, planned,
        sum(markets)::int as markets, sum(known)::int as known, sum(learned) as learned,
        sum(hints_known)::int as hints_known, sum(hints_learned) as hints_learned,
        sum(due) as due, sum(due_learned) as due_learned, sum(due_unknown) as due_unknown,
        sum(unplanned)::int as unplanned, sum(unplanned_learned) as unplanned_learned,
        sum(unplanned_unknown)::int as unplanned_unknown,
        sum(due_known)::int as due_known, sum(due_empty)::int as due_empty
      from (
        select n.* from budgets b cross join lateral jsonb_to_recordset(b.market_sums)
          as n(store text, country text, device text, planned float8, markets int, known int,
            learned float8, hints_known int, hints_learned float8, due float8,
            due_learned float8, due_unknown float8, unplanned int, unplanned_learned float8,
            unplanned_unknown int, due_known int, due_empty int)
        where b.workspace_id = ${workspaceId}
        union all
        select store, country, device, planned, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0
        from added where not is_searched
      ) as known_and_added group by store, country, device, planned
    ), ${demand}
    ${demandOf(workspaceId)}`.execute(tx);
  return rows;
}

function toRecord(keyword: UnseenKeyword) {
  return { ...keyword, listing_id: keyword.listingId, is_searched: keyword.isSearched };
}
