import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/**
 * The values that decide whether the daily run includes a workspace, and how many of its markets.
 */
export interface WorkspaceStatusRow {
  id: number;
  status: 'trial' | 'live' | 'lapsed';
  /** Suspended by an operator, or deleted and waiting to be erased. */
  suspended: boolean;
  dailyRunPaused: boolean;
  trialEndsAt: Date | null;
  plan: string | null;
  overLimitSince: Date | null;
}

const columns = sql`
  w.id, w.status, w.state = 'suspended' as suspended, w.daily_run_paused as "dailyRunPaused",
  w.trial_ends_at as "trialEndsAt", w.plan, w.over_limit_since as "overLimitSince"`;

/**
 * Workspaces whose status may change by now, and those whose trial or grace period a clock that was
 * ahead has ended too early: nothing is scheduled, although they exceed their limit only since an
 * instant after `graceFrom`.
 */
export async function listWorkspacesToReconcile(
  systemDb: Db,
  { now, graceFrom }: { now: Date; graceFrom: Date },
): Promise<number[]> {
  const { rows } = await sql<Row<'list-workspaces-to-reconcile'>>`/* list-workspaces-to-reconcile */
    select id from workspaces where reconcile_at <= ${now}
      or (status = 'lapsed' and plan is null and trial_ends_at > ${now})
      or (reconcile_at is null and over_limit_since > ${graceFrom})
    order by id`.execute(systemDb);
  return rows.map((row) => row.id);
}

/** With the number of its markets and how many of them are held. Locks the workspace's row. */
export async function lockWorkspaceWithMarkets(
  tx: Tx,
  workspaceId: number,
): Promise<(WorkspaceStatusRow & { markets: number; heldMarkets: number }) | undefined> {
  const status = await lockWorkspaceStatus(tx, workspaceId);
  if (status === undefined) return undefined;
  const { rows } = await sql<Row<'count-workspace-markets'>>`/* count-workspace-markets */
    select count(distinct k.market_id)::int as markets,
      (count(distinct k.market_id) filter (where k.held))::int as held
    from keywords k join apps a on a.id = k.app_id
    where k.workspace_id = ${workspaceId} and k.archived_at is null and not k.paused
      and a.archived_at is null`.execute(tx);
  return { ...status, markets: rows[0]!.markets, heldMarkets: rows[0]!.held };
}

/** When its status may change next; null for never, without a change of its own. */
export async function scheduleReconciliation(
  tx: Tx,
  workspaceId: number,
  at: Date | null,
): Promise<void> {
  await sql`
    update workspaces set reconcile_at = ${at} where id = ${workspaceId}
      and reconcile_at is distinct from ${at}::timestamptz`.execute(tx);
}

/** Locks the workspace's row. */
export async function lockWorkspaceStatus(
  tx: Tx,
  workspaceId: number,
): Promise<WorkspaceStatusRow | undefined> {
  const { rows } = await sql<Row<'lock-workspace-status', WorkspaceStatusRow, 'status'>>`
    select ${columns} from workspaces w where id = ${workspaceId} for no key update`.execute(tx);
  return rows[0];
}

export async function updateWorkspaceStatus(
  tx: Tx,
  workspaceId: number,
  {
    status,
    dailyRunPaused,
    overLimitSince,
  }: Pick<WorkspaceStatusRow, 'status' | 'dailyRunPaused' | 'overLimitSince'>,
): Promise<void> {
  await sql`
    update workspaces set status = ${status}, daily_run_paused = ${dailyRunPaused},
      over_limit_since = ${overLimitSince} where id = ${workspaceId}`.execute(tx);
}

export interface HoldableKeyword {
  id: number;
  marketId: number;
  depth: number;
  held: boolean;
  trackingPeriods: unknown;
  latestOn: string | null;
  /** The last day with an outcome of the market, for any workspace. */
  completedOn: string | null;
}

/**
 * Locks the schedule rows of the workspace's markets, lowest id first, and then its tracked
 * keywords by id, in the order of every other writer.
 */
export async function lockTrackedKeywords(tx: Tx, workspaceId: number): Promise<HoldableKeyword[]> {
  await sql`
    select from market_schedule where market_id in (select market_id from keywords
      where workspace_id = ${workspaceId})
    order by market_id for update`.execute(tx);
  const { rows } = await sql<Row<'tracked-keywords-to-hold', HoldableKeyword>>`
    select k.id, k.market_id as "marketId", k.depth, k.held,
      k.tracking_periods as "trackingPeriods", k.latest_on as "latestOn",
      s.completed_on as "completedOn"
    from keywords k join apps a on a.id = k.app_id
      left join market_schedule s on s.market_id = k.market_id
    where k.workspace_id = ${workspaceId} and k.archived_at is null and not k.paused
      and a.archived_at is null
    order by k.id for no key update of k`.execute(tx);
  return rows;
}

export async function updateHeld(
  tx: Tx,
  workspaceId: number,
  keywords: { id: number; held: boolean; trackingPeriods: unknown }[],
): Promise<void> {
  await sql`
    update keywords k set held = n.held, tracking_periods = n."trackingPeriods"
    from jsonb_to_recordset(${JSON.stringify(keywords)}::jsonb)
      as n(id int, held boolean, "trackingPeriods" jsonb)
    where k.workspace_id = ${workspaceId} and k.id = n.id`.execute(tx);
}

/**
 * Locks the demand of the listings, lowest id first, so that concurrent additions wait without a
 * deadlock.
 */
export async function lockStoreTasksOf(tx: Tx, listingIds: number[]): Promise<void> {
  await sql`
    select from store_tasks where id in (select store_task_id from store_task_demand
      where listing_id = any(${listingIds}::int[])) order by id for update`.execute(tx);
}

/** The listings of the workspace's apps and of their competitors. */
export async function listFollowedListings(tx: Tx, workspaceId: number): Promise<number[]> {
  const { rows } = await sql<Row<'list-followed-listings'>>`
    select listing_id as id from apps where workspace_id = ${workspaceId}
    union select listing_id from competitors where workspace_id = ${workspaceId}
    order by 1`.execute(tx);
  return rows.map((row) => row.id);
}
