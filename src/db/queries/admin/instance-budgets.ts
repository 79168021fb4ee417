import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { StoreTaskKind } from '../store-tasks/store-tasks.ts';
import { owners, type AdminWorkspaceRow } from './admin.ts';

// For operators. Triggers count the budgets of all workspaces (0041_budget_counts.sql).

export interface InstanceBudget {
  store: StoreName;
  kind: 'rank-check' | 'app-refresh' | 'learned' | StoreTaskKind | 'firstHints';
  jobs: number;
  requests: number;
}

/** Rounding leaves less than this of added and removed fractions. */
const leastJobs = 1e-6;

/** The demand of all workspaces in the daily run, by store and kind. */
export async function listInstanceBudgets(systemDb: Db): Promise<InstanceBudget[]> {
  const { rows } = await sql<
    Row<'list-instance-budgets', InstanceBudget, 'store' | 'kind' | 'jobs' | 'requests'>
  >`/* list-instance-budgets */
    select store, kind, sum(jobs) as jobs, sum(requests) as requests from budget_counts
    where store is not null group by store, kind
    having sum(jobs) > ${leastJobs}::float8`.execute(systemDb);
  return rows;
}

/** The number of workspaces in the daily run, and of the markets it searches in each store. */
export async function countVisited(
  systemDb: Db,
): Promise<{ workspaces: number; markets: Record<StoreName, number> }> {
  const { rows } = await sql<
    Row<'count-visited', { workspaces: number; markets: Record<StoreName, number> }, 'markets'>
  >`/* count-visited */
    select (select coalesce(sum(jobs), 0)::int from budget_counts where kind = 'workspaces')
        as workspaces,
      (select jsonb_object_agg(stores.store, (select coalesce(sum(tasks), 0) from due_counts c
        where c.store = stores.store and c.kind = 'rank-check')) from stores) as markets`.execute(
    systemDb,
  );
  return rows[0]!;
}

export interface LargeWorkspace extends Pick<
  AdminWorkspaceRow,
  'name' | 'state' | 'status' | 'plan' | 'trialEndsAt' | 'owners'
> {
  workspaceId: number;
  /** In all stores. */
  markets: number;
  /** Requests of a day. */
  requests: number;
}

/**
 * The workspaces of the daily run whose day costs most. Markets are those of the budget: counting
 * the keywords of the largest workspaces would cost more than everything else here.
 */
export async function listLargestWorkspaces(
  systemDb: Db,
  limit: number,
): Promise<LargeWorkspace[]> {
  const { rows } = await sql<
    Row<'list-largest-workspaces', LargeWorkspace, 'state' | 'status'>
  >`/* list-largest-workspaces */
    select w.id as "workspaceId", w.name, w.state, w.status, w.plan,
      w.trial_ends_at as "trialEndsAt", ${owners} as owners, w.requests_per_day as requests,
      (select coalesce(sum(markets), 0)::int from budgets b where b.workspace_id = w.id) as markets
    from workspaces w where w.in_daily_run and w.requests_per_day > 0
    order by w.requests_per_day desc, w.id limit ${limit}`.execute(systemDb);
  return rows;
}

/** The number of rows that changes have added. */
export async function countBudgetCounts(systemDb: Db): Promise<number> {
  const { rows } = await sql<Row<'count-budget-counts'>>`/* count-budget-counts */
    select count(*)::int as count from budget_counts`.execute(systemDb);
  return rows[0]!.count;
}

/** Merges at most `limit` rows into one for each kind. Returns how many rows there were. */
export async function mergeBudgetCounts(systemTx: Tx, limit: number): Promise<number> {
  const { rows } = await sql<Row<'merge-budget-counts'>>`/* merge-budget-counts */
    with taken as (
      delete from budget_counts where ctid in (
        select ctid from budget_counts limit ${limit} for update skip locked) returning *
    ), merged as (
      insert into budget_counts (store, kind, jobs, requests)
      select store, kind, sum(jobs), sum(requests) from taken group by store, kind
    )
    select count(*)::int as taken from taken`.execute(systemTx);
  return rows[0]!.taken;
}
