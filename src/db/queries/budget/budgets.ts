import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { demand, demandOf, homesOf, lastRunEnd, marketSums } from './budget-demand.ts';
import type { StoreTaskKind } from '../store-tasks/store-tasks.ts';

/** The cost of a workspace's day in one store. */
export interface BudgetRow {
  store: StoreName;
  /** Distinct active markets, each searched once a day. */
  markets: number;
  /** The requests of these searches. */
  requests: number;
  learned: boolean;
  /** Pairs of a listing and a country that are read each day. */
  listings: number;
  listingRequests: number;
  /**
   * By kind: the number of tasks on the day after the newest run, and their requests. Kinds without
   * tasks are omitted. `firstHints` is what new markets request on that day beyond their weekly
   * share.
   */
  storeTasks: Partial<
    Record<StoreTaskKind | 'firstHints', readonly [jobs: number, requests: number]>
  >;
}

/** A row with the sums that it was computed from. */
export interface DemandRow extends BudgetRow {
  marketSums: unknown;
}

/** A keyword that does not exist yet. A market without an id gets a negative one. */
export interface HypotheticalKeyword {
  listingId: number;
  store: StoreName;
  marketId: number;
  country: string;
  device: string;
  depth: number;
  seen: boolean;
}

/**
 * Locks the workspace's budget, so that concurrent writers do not overwrite each other with stale
 * sums.
 */
export async function lockWorkspace(tx: Tx, workspaceId: number): Promise<void> {
  await sql`select from workspaces where id = ${workspaceId} for no key update`.execute(tx);
}

/** False when another transaction has locked it. */
export async function tryLockWorkspace(tx: Tx, workspaceId: number): Promise<boolean> {
  const { rows } = await sql`
    select from workspaces where id = ${workspaceId} for no key update skip locked`.execute(tx);
  return rows.length > 0;
}

/**
 * The cost of a workspace's day with its current keywords plus additions. One search serves all
 * apps of the workspace. Demand of other workspaces is neither counted nor revealed: a learned cost
 * is used only once this workspace has seen a result, and only up to its own depth.
 */
export async function listDemand(
  tx: Tx,
  workspaceId: number,
  { today, added = [] }: { today: string; added?: HypotheticalKeyword[] },
): Promise<DemandRow[]> {
  // Prepared, because planning takes longer than running it for a thousand keywords.
  const { rows } = await sql<
    Row<'list-demand', DemandRow, 'store' | 'storeTasks'>
  >`/* list-demand */
    with followed as (
      select k.workspace_id, m.store, k.market_id, a.listing_id, m.country, m.device, k.depth,
        coalesce(k.latest_at >= k.created_at, false) as seen,
        (k.created_at at time zone 'UTC')::date as since
      from keywords k join apps a on a.id = k.app_id join markets m on m.id = k.market_id
      where k.workspace_id = ${workspaceId} and k.archived_at is null and not k.paused
        and not k.held and a.archived_at is null
      union all
      select ${workspaceId}::int, n.store, n.market_id, n.listing_id, n.country, n.device, n.depth,
        n.seen, case when n.seen then '-infinity'::date end
      from jsonb_to_recordset(${JSON.stringify(added.map(toRecord))}::jsonb)
        as n(listing_id int, store text, market_id int, country text, device text, depth smallint,
          seen boolean)
    ), ${homesOf(workspaceId)}, visited as (select * from followed), ${marketSums(today)}, ${demand}
    ${demandOf(workspaceId)}`.execute(tx);
  return rows;
}

/** After a change of the workspace's keywords its limits are compared with them soon. */
export async function requestReconciliation(tx: Tx, workspaceId: number): Promise<void> {
  await sql`
    update workspaces set reconcile_at = '-infinity' where id = ${workspaceId}
      and reconcile_at is distinct from '-infinity'`.execute(tx);
}

/** Replaces the workspace's rows, unrounded. The caller holds its lock. */
export async function writeBudgetRows(
  tx: Tx,
  workspaceId: number,
  rows: DemandRow[],
): Promise<void> {
  await sql`
    insert into budgets (workspace_id, store, markets, requests, learned, listings,
      listing_requests, store_tasks, market_sums)
    select ${workspaceId}, n.*
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as n(store text, markets int, requests real, learned boolean, listings int,
        "listingRequests" real, "storeTasks" jsonb, "marketSums" jsonb)
    on conflict (workspace_id, store) do update
      set markets = excluded.markets, requests = excluded.requests,
      learned = excluded.learned, listings = excluded.listings,
        listing_requests = excluded.listing_requests, store_tasks = excluded.store_tasks,
        market_sums = excluded.market_sums`.execute(tx);
}

export async function listWorkspaceIds(systemDb: Db): Promise<number[]> {
  const { rows } = await sql<
    Row<'list-workspace-ids'>
  >`select id from workspaces order by id`.execute(systemDb);
  return rows.map((row) => row.id);
}

/** Workspaces whose budget is older than the newest end of a run up to today, the oldest first. */
export async function listStaleBudgets(
  systemDb: Db,
  { today, limit }: { today: string; limit: number },
): Promise<number[]> {
  const { rows } = await sql<Row<'list-stale-budgets'>>`/* list-stale-budgets */
    select id from workspaces
    where budget_refreshed_at < ${lastRunEnd(today)}
    order by budget_refreshed_at limit ${limit}`.execute(systemDb);
  return rows.map((row) => row.id);
}

/**
 * Records that the budget counts every run up to today that has ended. Call it before the demand is
 * read, so that a run that ends meanwhile leaves the budget stale.
 */
export async function markBudgetRefreshed(
  tx: Tx,
  workspaceId: number,
  today: string,
): Promise<void> {
  await sql`update workspaces set budget_refreshed_at = coalesce(${lastRunEnd(today)}, '-infinity')
    where id = ${workspaceId}`.execute(tx);
}

/** The stored rows: one for each store, even when nothing is tracked there. */
export async function listBudgetRows(db: Db | Tx, workspaceId: number): Promise<BudgetRow[]> {
  const { rows } = await sql<
    Row<'budget-rows', BudgetRow, 'store' | 'storeTasks'>
  >`/* budget-rows */
    select store, markets, requests, learned, listings, listing_requests as "listingRequests",
      store_tasks as "storeTasks"
    from budgets join stores using (store)
    where workspace_id = ${workspaceId} order by rank`.execute(db);
  return rows;
}

export interface PlanUse {
  plan: string | null;
  apps: number;
  /**
   * Markets that count against the plan and are not searched. The others are those of the budget.
   */
  heldMarkets: number;
  overLimitSince: Date | null;
}

export async function getPlan(tx: Tx, workspaceId: number): Promise<PlanUse> {
  const { rows } = await sql<Row<'get-plan', PlanUse>>`
    select w.plan, (select count(*)::int from apps a
      where a.workspace_id = w.id and a.archived_at is null) as apps,
      (select count(distinct k.market_id)::int from keywords k join apps a on a.id = k.app_id
       where k.workspace_id = w.id and k.held and not k.paused and k.archived_at is null
         and a.archived_at is null) as "heldMarkets",
      w.over_limit_since as "overLimitSince"
    from workspaces w where w.id = ${workspaceId}`.execute(tx);
  return rows[0]!;
}

/** Keywords that a transaction resumes: their ids, or all of an app. */
export interface ResumedKeywords {
  ids?: number[];
  appId?: number;
}

/** `heldMarkets` of the plan, as it was before these keywords were resumed. */
export async function countHeldMarketsBefore(
  tx: Tx,
  workspaceId: number,
  { ids = [], appId }: ResumedKeywords,
): Promise<number> {
  const { rows } = await sql<Row<'count-held-markets-before'>>`/* count-held-markets-before */
    select count(distinct k.market_id)::int as markets
    from keywords k join apps a on a.id = k.app_id
    where k.workspace_id = ${workspaceId} and k.held and not k.paused and k.archived_at is null
      and a.archived_at is null and k.id <> all(${ids}::int[])
      and k.app_id is distinct from ${appId ?? null}::int`.execute(tx);
  return rows[0]!.markets;
}

function toRecord(keyword: HypotheticalKeyword) {
  return { ...keyword, listing_id: keyword.listingId, market_id: keyword.marketId };
}
