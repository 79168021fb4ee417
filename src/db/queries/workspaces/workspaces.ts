import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface WorkspaceRow {
  id: number;
  name: string;
  state: 'trial' | 'live' | 'lapsed' | 'suspended';
  plan: string | null;
  trialEndsAt: Date | null;
  createdAt: Date;
}

/** The reasons why a workspace is read-only; all null while it is not. */
export interface SuspensionRow {
  suspendedAt: Date | null;
  suspendedReason: string | null;
  /** The instant at which a deleted workspace is erased. */
  deleteAt: Date | null;
}

const columns = [
  'id',
  'name',
  'state',
  'plan',
  'trial_ends_at as trialEndsAt',
  'created_at as createdAt',
] as const;

const suspensionColumns = [
  'suspended_at as suspendedAt',
  'suspended_reason as suspendedReason',
  'delete_at as deleteAt',
] as const;

export async function findWorkspace(
  db: Db | Tx,
  workspaceId: number,
): Promise<WorkspaceRow | undefined> {
  const row = await db
    .selectFrom('workspaces')
    .select(columns)
    .where('id', '=', workspaceId)
    .executeTakeFirst();
  return row as WorkspaceRow | undefined;
}

/**
 * The usage of a plan's quotas: live apps, and distinct markets with a keyword that is not paused.
 */
export interface WorkspaceUsage {
  apps: number;
  keywordMarkets: number;
}

const use = (workspaceId: number) => sql`
  (select count(*)::int from apps where workspace_id = ${workspaceId} and archived_at is null)
    as apps,
  (select count(distinct k.market_id)::int from keywords k join apps a on a.id = k.app_id
   where k.workspace_id = ${workspaceId} and k.archived_at is null and not k.paused
     and a.archived_at is null) as "keywordMarkets"`;

export async function countWorkspaceUsage(tx: Tx, workspaceId: number): Promise<WorkspaceUsage> {
  const { rows } = await sql<
    Row<'count-workspace-usage', WorkspaceUsage>
  >`select ${use(workspaceId)}`.execute(tx);
  return rows[0]!;
}

/** The workspace with its suspension and its usage of the plan. */
export async function findWorkspaceDetail(
  tx: Tx,
  workspaceId: number,
): Promise<(WorkspaceRow & SuspensionRow & WorkspaceUsage) | undefined> {
  const { rows } = await sql<
    Row<'find-workspace-detail', WorkspaceRow & SuspensionRow & WorkspaceUsage, 'state'>
  >`
    select id, name, state, plan, trial_ends_at as "trialEndsAt", created_at as "createdAt",
      suspended_at as "suspendedAt",
      suspended_reason as "suspendedReason", delete_at as "deleteAt", ${use(workspaceId)}
    from workspaces where id = ${workspaceId}`.execute(tx);
  return rows[0];
}

export function findSuspension(
  db: Db | Tx,
  workspaceId: number,
): Promise<SuspensionRow | undefined> {
  return db
    .selectFrom('workspaces')
    .select(suspensionColumns)
    .where('id', '=', workspaceId)
    .executeTakeFirst();
}

/** Marks the workspace as deleted; null restores it. */
export async function updateDeletion(
  tx: Tx,
  workspaceId: number,
  deleteAt: Date | null,
): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set({ delete_at: deleteAt })
    .where('id', '=', workspaceId)
    .execute();
}

/**
 * The workspace that a person signs in to. Workspaces that can be changed are preferred, then those
 * that are not deleted, then the last visited one according to the sessions, then the one joined
 * first.
 */
export async function findFirstWorkspace(
  db: Db | Tx,
  userId: number,
): Promise<WorkspaceRow | undefined> {
  const { rows } = await sql<Row<'find-first-workspace', WorkspaceRow, 'state'>>`
    select w.id, w.name, w.state, w.plan, w.trial_ends_at as "trialEndsAt",
      w.created_at as "createdAt"
    from memberships m join workspaces w on w.id = m.workspace_id
    where m.user_id = ${userId}
    order by w.state = 'suspended', w.delete_at desc nulls first,
      (select max(s.id) from sessions s where s.user_id = m.user_id
        and s.workspace_id = w.id) desc nulls last, m.created_at, w.id
    limit 1`.execute(db);
  return rows[0];
}

export async function insertWorkspace(
  tx: Tx,
  workspace: {
    name: string;
    status: 'trial' | 'live';
    trialEndsAt: Date | null;
    createdAt: Date;
  },
): Promise<WorkspaceRow> {
  const row = await tx
    .insertInto('workspaces')
    .values({
      name: workspace.name,
      status: workspace.status,
      trial_ends_at: workspace.trialEndsAt,
      created_at: workspace.createdAt,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return row as WorkspaceRow;
}

export async function insertMembership(
  tx: Tx,
  membership: { workspaceId: number; userId: number; role: 'owner' | 'member'; createdAt: Date },
): Promise<void> {
  await tx
    .insertInto('memberships')
    .values({
      workspace_id: membership.workspaceId,
      user_id: membership.userId,
      role: membership.role,
      created_at: membership.createdAt,
    })
    .execute();
}

export interface BillingRow extends WorkspaceRow {
  deleteAt: Date | null;
  status: 'trial' | 'live' | 'lapsed';
  overLimitSince: Date | null;
  paymentCustomer: string | null;
  paymentSubscription: string | null;
}

export async function findBilling(tx: Tx, workspaceId: number): Promise<BillingRow | undefined> {
  const { rows } = await sql<Row<'find-billing', BillingRow, 'state' | 'status'>>`/* find-billing */
    select id, name, state, status, plan, trial_ends_at as "trialEndsAt",
      over_limit_since as "overLimitSince", payment_customer as "paymentCustomer",
      payment_subscription as "paymentSubscription", delete_at as "deleteAt",
      created_at as "createdAt"
    from workspaces where id = ${workspaceId}`.execute(tx);
  return rows[0];
}

/** The name of a workspace, locked until the transaction ends. */
export async function lockWorkspaceName(tx: Tx, workspaceId: number): Promise<string | undefined> {
  const row = await tx
    .selectFrom('workspaces')
    .select('name')
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.name;
}

export async function updateWorkspaceName(
  tx: Tx,
  workspaceId: number,
  name: string,
): Promise<void> {
  await tx.updateTable('workspaces').set({ name }).where('id', '=', workspaceId).execute();
}

/**
 * Erases a workspace that is due, with all its data, and returns the markets and listings that it
 * tracked. Shared facts of the stores stay. Markets are locked first and in order, like in every
 * other writer. Undefined when it was restored, or is gone.
 */
export async function deleteWorkspace(
  tx: Tx,
  workspaceId: number,
  now: Date,
): Promise<{ marketIds: number[]; listingIds: number[] } | undefined> {
  await sql`
    select from market_schedule where market_id in (select market_id from keywords
      where workspace_id = ${workspaceId})
    order by market_id for update`.execute(tx);
  const due = await sql`
      select from workspaces where id = ${workspaceId} and delete_at <= ${now} for update`.execute(
    tx,
  );
  if (due.rows.length === 0) return undefined;
  const listings = await sql<Row<'workspace-listings'>>`
    select listing_id as id from apps where workspace_id = ${workspaceId}
    union select listing_id from competitors where workspace_id = ${workspaceId}`.execute(tx);
  const markets = await sql<Row<'delete-workspace-keywords'>>`
    with gone as (delete from keywords where workspace_id = ${workspaceId} returning market_id)
    select distinct market_id as id from gone order by 1`.execute(tx);
  await sql`delete from workspaces where id = ${workspaceId}`.execute(tx);
  return {
    marketIds: markets.rows.map((row) => row.id),
    listingIds: listings.rows.map((row) => row.id),
  };
}
