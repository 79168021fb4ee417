import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface ActionRow {
  id: number;
  appId: number | null;
  type: string;
  key: string;
  fingerprint: string;
  severity: 'high' | 'medium' | 'low';
  title: string;
  reason: string;
  evidence: unknown;
  keywordIds: number[];
  status: 'open' | 'snoozed' | 'resolved' | 'dismissed';
  openedAt: Date;
  seenAt: Date;
  snoozedUntil: Date | null;
  resolvedAt: Date | null;
  resolvedBy: string | null;
  dismissReason: string | null;
}

const columns = sql`
  id::float8 as id, app_id as "appId", type, key, fingerprint, severity, title, reason, evidence,
  keyword_ids as "keywordIds", status, opened_at as "openedAt", seen_at as "seenAt",
  snoozed_until as "snoozedUntil", resolved_at as "resolvedAt", resolved_by as "resolvedBy",
  dismiss_reason as "dismissReason"`;

export interface ActionFilter {
  statuses?: string[] | undefined;
  type?: string | undefined;
  appId?: number | undefined;
  severities?: string[] | undefined;
}

const matches = (workspaceId: number, filter: ActionFilter) => sql`
  workspace_id = ${workspaceId}
  and (${filter.statuses ?? null}::text[] is null
    or status = any(${filter.statuses ?? null}::text[]))
  and (${filter.type ?? null}::text is null or type = ${filter.type ?? null})
  and (${filter.appId ?? null}::int is null or app_id = ${filter.appId ?? null})
  and (${filter.severities ?? null}::text[] is null
    or severity = any(${filter.severities ?? null}::text[]))`;

/** Newest first, older than `before`. */
export async function listActions(
  tx: Tx,
  workspaceId: number,
  filter: ActionFilter,
  page: { before: number | null; limit: number },
): Promise<ActionRow[]> {
  const { rows } = await sql<Row<'list-actions', ActionRow, 'severity' | 'status'>>`
    select ${columns} from actions
    where ${matches(workspaceId, filter)}
      and (${page.before}::bigint is null or id < ${page.before})
    order by actions.id desc limit ${page.limit}`.execute(tx);
  return rows;
}

export async function countActions(
  tx: Tx,
  workspaceId: number,
  filter: ActionFilter,
): Promise<number> {
  const { rows } = await sql<
    Row<'count-actions'>
  >`select count(*)::int as actions from actions where ${matches(workspaceId, filter)}`.execute(tx);
  return rows[0]!.actions;
}

export async function findAction(
  tx: Tx,
  workspaceId: number,
  id: number,
): Promise<ActionRow | undefined> {
  const { rows } = await sql<Row<'find-action', ActionRow, 'severity' | 'status'>>`
      select ${columns} from actions where workspace_id = ${workspaceId} and id = ${id}`.execute(
    tx,
  );
  return rows[0];
}

/** Locks the actions until the transaction ends, lowest id first. */
export async function lockActions(
  tx: Tx,
  workspaceId: number,
  ids: number[],
): Promise<ActionRow[]> {
  const { rows } = await sql<Row<'lock-actions', ActionRow, 'severity' | 'status'>>`
    select ${columns} from actions
      where workspace_id = ${workspaceId} and id = any(${ids}::bigint[])
      order by actions.id for update`.execute(tx);
  return rows;
}

/** Serializes changes of a workspace's actions. Taken before their rows are read or locked. */
export async function lockActionsOf(tx: Tx, workspaceId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('actions'), ${workspaceId}::int)`.execute(tx);
}

/** Other live actions with these keys: an action can be open only once. */
export async function listLiveKeys(
  tx: Tx,
  workspaceId: number,
  keys: string[],
): Promise<{ id: number; key: string }[]> {
  const { rows } = await sql<Row<'list-live-keys'>>`
    select id::float8 as id, key from actions
    where workspace_id = ${workspaceId} and key = any(${keys}::text[])
      and status in ('open', 'snoozed')`.execute(tx);
  return rows;
}

export type ActionState = Pick<
  ActionRow,
  'status' | 'snoozedUntil' | 'resolvedAt' | 'resolvedBy' | 'dismissReason'
>;

export async function updateActionState(
  tx: Tx,
  workspaceId: number,
  id: number,
  state: ActionState,
): Promise<void> {
  await sql`
    update actions set status = ${state.status}, snoozed_until = ${state.snoozedUntil},
      resolved_at = ${state.resolvedAt},
      resolved_by = ${state.resolvedBy}, dismiss_reason = ${state.dismissReason}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export type KnownActionRow = Pick<
  ActionRow,
  'id' | 'type' | 'appId' | 'key' | 'fingerprint' | 'evidence' | 'status' | 'seenAt' | 'resolvedBy'
>;

interface KnownActionFilter {
  keys: string[];
  /** Findings of apps whose keys can change. */
  moving: { appId: number | null; type: string; fingerprint: string }[];
}

/** Bounds what is read of a finding that was closed again and again. */
const maxClosedPerFinding = 50;

/**
 * All live actions, and the newest closed ones of these keys and of the moving findings; newest
 * first.
 */
export async function listKnownActions(
  tx: Tx,
  workspaceId: number,
  { keys, moving }: KnownActionFilter,
): Promise<KnownActionRow[]> {
  const { rows } = await sql<Row<'list-known-actions', KnownActionRow, 'status'>>`
    select a.id::float8 as id, a.type, a.app_id as "appId", a.key, a.fingerprint, a.evidence,
      a.status, a.seen_at as "seenAt", a.resolved_by as "resolvedBy"
    from (
      select * from actions where workspace_id = ${workspaceId} and status in ('open', 'snoozed')
      union all
      select closed.* from unnest(${keys}::text[]) as found(key) cross join lateral (
        select * from actions where workspace_id = ${workspaceId} and key = found.key
          and status in ('resolved', 'dismissed')
        order by id desc limit ${maxClosedPerFinding}
      ) closed
      union all
      select closed.* from (
        select distinct * from unnest(${moving.map(({ appId }) => appId)}::int[],
          ${moving.map(({ type }) => type)}::text[],
          ${moving.map(({ fingerprint }) => fingerprint)}::text[]) as f(app_id, type, fingerprint)
      ) found cross join lateral (
        select * from actions where workspace_id = ${workspaceId} and app_id = found.app_id
          and type = found.type and fingerprint = found.fingerprint and key <> all(${keys}::text[])
          and status in ('resolved', 'dismissed')
        order by id desc limit ${maxClosedPerFinding}
      ) closed
    ) a order by a.id desc`.execute(tx);
  return rows;
}

export interface NewAction {
  appId: number | null;
  type: string;
  key: string;
  fingerprint: string;
  severity: string;
  title: string;
  reason: string;
  evidence: object;
  keywordIds: number[];
}

const described = (actions: NewAction[]) =>
  sql`jsonb_to_recordset(${JSON.stringify(actions)}::jsonb)`;
const shape = sql`
  "appId" int, type text, key text, fingerprint text, severity text, title text, reason text,
  evidence jsonb, "keywordIds" int[]`;

/** Returns ids by key. */
export async function insertActions(
  tx: Tx,
  workspaceId: number,
  actions: NewAction[],
  now: Date,
): Promise<Map<string, number>> {
  const { rows } = await sql<Row<'insert-actions'>>`
    insert into actions (workspace_id, app_id, type, key, fingerprint, severity, title, reason,
      evidence, keyword_ids, opened_at, seen_at)
    select ${workspaceId}, "appId", type, key, fingerprint, severity, title, reason, evidence,
      "keywordIds", ${now}, ${now}
    from ${described(actions)} as a(${shape})
    returning id::float8 as id, key`.execute(tx);
  return new Map(rows.map((row) => [row.key, row.id]));
}

/**
 * Updates the key and evidence of actions that were found again. Actions that had ended are
 * reopened.
 */
export async function updateFoundActions(
  tx: Tx,
  workspaceId: number,
  actions: (NewAction & { id: number })[],
  now: Date,
): Promise<void> {
  await sql`
    update actions a set key = f.key, fingerprint = f.fingerprint, severity = f.severity,
      title = f.title, reason = f.reason, evidence = f.evidence,
      keyword_ids = f."keywordIds", seen_at = ${now},
        status = case when a.status = 'snoozed' then 'snoozed' else 'open' end,
      resolved_at = null, resolved_by = null
    from ${described(actions)} as f(id bigint, ${shape})
    where a.workspace_id = ${workspaceId} and a.id = f.id`.execute(tx);
}

export async function touchActions(
  tx: Tx,
  workspaceId: number,
  ids: number[],
  now: Date,
): Promise<void> {
  await sql`
    update actions set seen_at = ${now} where workspace_id = ${workspaceId}
      and id = any(${ids}::bigint[])`.execute(tx);
}

export async function resolveGoneActions(
  tx: Tx,
  workspaceId: number,
  ids: number[],
  now: Date,
): Promise<void> {
  await sql`
    update actions set status = 'resolved', snoozed_until = null, resolved_at = ${now},
      resolved_by = 'gone'
    where workspace_id = ${workspaceId} and id = any(${ids}::bigint[])`.execute(tx);
}

/**
 * Reopens actions whose snooze has expired, in all workspaces. Those that somebody is changing are
 * left for the next tick, because waiting for several of them could end in a deadlock.
 */
export async function reopenDueActions(tx: Tx, now: Date): Promise<number> {
  const { rows } = await sql`
    update actions set status = 'open', snoozed_until = null
      where id in (select id from actions where status = 'snoozed' and snoozed_until <= ${now}
        for update skip locked) returning id`.execute(tx);
  return rows.length;
}
