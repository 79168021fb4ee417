import { sql, type RawBuilder } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { currentSlowFactor } from '../pacing/pacing.ts';
import type { WorkspaceRow } from '../workspaces/workspaces.ts';

// For operators. Everything here reads all workspaces, as the system role.

export interface AdminWorkspaceRow extends WorkspaceRow {
  status: 'trial' | 'live' | 'lapsed';
  owners: string[];
  suspendedAt: Date | null;
  suspendedReason: string | null;
  deleteAt: Date | null;
  overLimitSince: Date | null;
  apps: number;
  keywordMarkets: number;
  members: number;
  requestsToday: bigint;
}

/** The emails of a workspace's owners; the workspace is `w`. */
export const owners = sql`array(
  select u.email from memberships m join users u on u.id = m.user_id
    where m.workspace_id = w.id and m.role = 'owner' order by u.email)`;

const recordOf = (today: string): RawBuilder<unknown> => sql`
  w.id, w.name, w.state, w.status, w.plan, w.trial_ends_at as "trialEndsAt",
    w.created_at as "createdAt", ${owners} as owners,
  w.suspended_at as "suspendedAt", w.suspended_reason as "suspendedReason",
    w.delete_at as "deleteAt",
  w.over_limit_since as "overLimitSince",
  (select count(*)::int from apps a where a.workspace_id = w.id and a.archived_at is null) as apps,
  (select count(distinct k.market_id)::int from keywords k join apps a on a.id = k.app_id
   where k.workspace_id = w.id and k.archived_at is null and not k.paused and a.archived_at is null)
     as "keywordMarkets",
  (select count(*)::int from memberships m where m.workspace_id = w.id) as members,
  (select coalesce(sum(requests), 0)::bigint from request_days r
    where r.workspace_id = w.id and r.on_date = ${today}::date) as "requestsToday"`;

export interface WorkspaceFilter {
  state: WorkspaceRow['state'] | null;
  search: string | null;
  now: Date;
  billingEnabled: boolean;
}

/** The same rule as `stateOf` in domain/accounts/billing/workspace-status.ts. */
const stateAsOf = ({ now, billingEnabled }: WorkspaceFilter): RawBuilder<unknown> => sql`
  case when w.state = 'suspended' then 'suspended' when not ${billingEnabled}::boolean then 'live'
    when w.status = 'trial' and w.trial_ends_at <= ${now} then 'lapsed'
    when w.status = 'lapsed' and w.plan is null and w.trial_ends_at > ${now} then 'trial'
    else w.status end`;

const matches = (filter: WorkspaceFilter): RawBuilder<unknown> => sql`
  (${filter.state}::text is null or ${stateAsOf(filter)} = ${filter.state})
  and (${filter.search}::text is null or strpos(lower(w.name), lower(${filter.search})) > 0
    or exists (select from unnest(${owners}) as owner
      where strpos(owner, lower(${filter.search})) > 0))`;

/** Newest first, with ids below `beforeId`. */
export async function listAllWorkspaces(
  db: Db,
  filter: WorkspaceFilter,
  page: { today: string; limit: number; beforeId: number | null },
): Promise<AdminWorkspaceRow[]> {
  const { rows } = await sql<Row<'list-all-workspaces', AdminWorkspaceRow, 'state' | 'status'>>`
    select ${recordOf(page.today)} from workspaces w
    where ${matches(filter)} and (${page.beforeId}::int is null or w.id < ${page.beforeId})
      order by w.id desc limit ${page.limit}`.execute(db);
  return rows;
}

export async function countWorkspaces(db: Db, filter: WorkspaceFilter): Promise<number> {
  const { rows } = await sql<
    Row<'count-workspaces'>
  >`select count(*)::int as count from workspaces w where ${matches(filter)}`.execute(db);
  return rows[0]!.count;
}

export async function findAnyWorkspace(
  db: Db | Tx,
  workspaceId: number,
  today: string,
): Promise<AdminWorkspaceRow | undefined> {
  const { rows } = await sql<Row<'find-any-workspace', AdminWorkspaceRow, 'state' | 'status'>>`
      select ${recordOf(today)} from workspaces w where id = ${workspaceId}`.execute(db);
  return rows[0];
}

export async function updateSuspension(
  tx: Tx,
  workspaceId: number,
  suspension: { at: Date; reason: string } | null,
): Promise<void> {
  await sql`
    update workspaces set suspended_at = ${suspension?.at ?? null},
      suspended_reason = ${suspension?.reason ?? null}
    where id = ${workspaceId}`.execute(tx);
}

export interface EndpointPace {
  store: StoreName;
  /** A host with a pace of its own, or '' for the store's pace. */
  host: string;
  endpoint: string;
  /** In the future while the endpoint cools down. */
  cooldownUntil: Date | null;
  isCooling: boolean;
  /** Now: an endpoint that sends nothing recovers, too. */
  slowFactor: number;
  strikes: number;
  granted: bigint;
  refused: bigint;
  lastRefusedAt: Date | null;
  lastMarker: string | null;
  connectionFailures: number;
  /** Null while the endpoint is in use. */
  unavailableUntil: Date | null;
}

/** The pace of each egress endpoint. Instants are those of the database's clock. */
export async function listPaces(db: Db): Promise<EndpointPace[]> {
  const { rows } = await sql<Row<'list-paces', EndpointPace, 'store'>>`
    select store, host, endpoint, cooldown_until as "cooldownUntil",
      coalesce(cooldown_until > clock_timestamp(), false) as "isCooling",
      ${sql.raw(currentSlowFactor)} as "slowFactor", strikes, granted, refused,
      last_refusal_at as "lastRefusedAt", last_marker as "lastMarker",
      connection_failures as "connectionFailures",
      case when unavailable_until > clock_timestamp() then unavailable_until end
        as "unavailableUntil"
    from pacing join stores using (store) order by rank, host, endpoint`.execute(db);
  return rows;
}

export interface NewestProbe {
  store: StoreName;
  date: string;
  state: 'ok' | 'degraded';
  probedAt: Date;
  attempts: number;
  marker: string | null;
}

export async function listNewestProbes(db: Db): Promise<NewestProbe[]> {
  const { rows } = await sql<
    Row<'list-newest-probes', NewestProbe, 'store' | 'state' | 'date' | 'probedAt' | 'attempts'>
  >`
    select distinct on (store) store, date, state, probed_at as "probedAt", attempts, marker
      from series_probes order by store, date desc`.execute(db);
  return rows;
}
