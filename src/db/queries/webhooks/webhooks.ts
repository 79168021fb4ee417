import { sql } from 'kysely';
import type { WebhookKind } from '#contract/webhooks.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface ListenerRow {
  id: number;
  url: string;
  kind: WebhookKind;
  events: string[];
}

/**
 * Enabled webhooks that subscribe to one of the types, locked against deletion until the
 * transaction ends.
 */
export async function listListeners(
  tx: Tx,
  workspaceId: number,
  types: string[],
): Promise<ListenerRow[]> {
  const { rows } = await sql<Row<'list-listeners', ListenerRow, 'kind'>>`
    select id, url, kind, events from webhooks
    where workspace_id = ${workspaceId} and enabled and events && ${types}::text[]
    order by id for key share`.execute(tx);
  return rows;
}

export interface WebhookSecretsRow {
  /** Encrypted. */
  secret: Buffer;
  /** Encrypted secrets in base64, each with the instant until which it also signs. */
  oldSecrets: { encrypted: string; until: string }[];
}

export interface WebhookRow extends ListenerRow {
  description: string | null;
  enabled: boolean;
  disabledBy: 'user' | 'gone' | 'failing' | null;
  secretStrength: 'strong' | 'weak';
  oldSecrets: WebhookSecretsRow['oldSecrets'];
  failingSince: Date | null;
  createdAt: Date;
  last: { id: number; type: string; state: string; status: number | null; at: string } | null;
}

const columns = sql`
  w.id, w.url, w.kind, w.events, w.description, w.enabled, w.disabled_by as "disabledBy",
  w.secret_strength as "secretStrength", w.old_secrets as "oldSecrets",
  w.failing_since as "failingSince", w.created_at as "createdAt", last.row as last`;

/** Includes the delivery that was attempted last, while it is stored. */
const source = sql`
  webhooks w left join lateral (
    select json_build_object('id', d.id, 'type', d.type, 'state', d.state, 'status', a.status, 'at',
      a.at) as row
    from deliveries d join delivery_attempts a on a.delivery_id = d.id and a.number = d.attempts
    where d.workspace_id = w.workspace_id and d.id = w.last_delivery_id
  ) last on true`;

/** Newest first, older than `before`. */
export async function listWebhookRows(
  tx: Tx,
  workspaceId: number,
  page: { before: number | null; limit: number },
): Promise<WebhookRow[]> {
  const { rows } = await sql<
    Row<
      'list-webhook-rows',
      WebhookRow,
      'kind' | 'disabledBy' | 'secretStrength' | 'oldSecrets' | 'last'
    >
  >`
    select ${columns} from ${source}
    where w.workspace_id = ${workspaceId} and (${page.before}::int is null or w.id < ${page.before})
    order by w.id desc limit ${page.limit}`.execute(tx);
  return rows;
}

export async function findWebhook(
  tx: Tx,
  workspaceId: number,
  id: number,
): Promise<WebhookRow | undefined> {
  const { rows } = await sql<
    Row<
      'find-webhook',
      WebhookRow,
      'kind' | 'disabledBy' | 'secretStrength' | 'oldSecrets' | 'last'
    >
  >`
      select ${columns} from ${source}
      where w.workspace_id = ${workspaceId} and w.id = ${id}`.execute(tx);
  return rows[0];
}

/** Serializes new webhooks of a workspace until the transaction ends. */
export async function lockNewWebhooks(tx: Tx, workspaceId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('webhooks'), ${workspaceId}::int)`.execute(tx);
}

export async function countWebhooks(tx: Tx, workspaceId: number): Promise<number> {
  const { rows } = await sql<
    Row<'count-webhooks'>
  >`select count(*)::int as webhooks from webhooks where workspace_id = ${workspaceId}`.execute(tx);
  return rows[0]!.webhooks;
}

/** The webhook's secrets, locked until the transaction ends. */
export async function lockWebhookSecrets(
  tx: Tx,
  workspaceId: number,
  id: number,
): Promise<WebhookSecretsRow | undefined> {
  const { rows } = await sql<Row<'lock-webhook-secrets', WebhookSecretsRow, 'oldSecrets'>>`
    select secret, old_secrets as "oldSecrets" from webhooks
      where workspace_id = ${workspaceId} and id = ${id} for no key update`.execute(tx);
  return rows[0];
}

export interface NewWebhook {
  url: string;
  kind: WebhookKind;
  events: string[];
  description: string | null;
  enabled: boolean;
  secret: Buffer;
  secretStrength: 'strong' | 'weak';
  createdAt: Date;
}

export async function insertWebhook(
  tx: Tx,
  workspaceId: number,
  webhook: NewWebhook,
): Promise<number> {
  const { rows } = await sql<Row<'insert-webhook'>>`
    insert into webhooks (workspace_id, url, kind, events, description, enabled, disabled_by,
      secret, secret_strength, created_at)
    values (${workspaceId}, ${webhook.url}, ${webhook.kind}, ${webhook.events},
      ${webhook.description}, ${webhook.enabled},
      ${webhook.enabled ? null : 'user'}, ${webhook.secret}, ${webhook.secretStrength},
        ${webhook.createdAt})
    returning id`.execute(tx);
  return rows[0]!.id;
}

export async function updateWebhookRow(
  tx: Tx,
  workspaceId: number,
  id: number,
  set: { url: string; events: string[]; description: string | null },
): Promise<void> {
  await sql`
    update webhooks set url = ${set.url}, events = ${set.events}, description = ${set.description}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export async function updateWebhookSecret(
  tx: Tx,
  workspaceId: number,
  id: number,
  set: WebhookSecretsRow & { secretStrength: 'strong' | 'weak' },
): Promise<void> {
  await sql`
    update webhooks set secret = ${set.secret},
      old_secrets = ${JSON.stringify(set.oldSecrets)}::jsonb,
      secret_strength = ${set.secretStrength}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export async function deleteWebhook(tx: Tx, workspaceId: number, id: number): Promise<boolean> {
  const { rows } = await sql`
      delete from webhooks where workspace_id = ${workspaceId} and id = ${id} returning id`.execute(
    tx,
  );
  return rows.length > 0;
}

/**
 * Enables a disabled webhook and resets its failures. Deliveries of events that were being written
 * while it was disabled are abandoned, as they would have been by disabling.
 */
export async function enableWebhook(
  tx: Tx,
  webhook: { workspaceId: number; webhookId: number; now: Date },
): Promise<void> {
  const { workspaceId, webhookId } = webhook;
  await abandonPending(tx, webhook);
  await sql`
    update webhooks set enabled = true, disabled_by = null, failing_since = null, failures = 0
    where workspace_id = ${workspaceId} and id = ${webhookId} and not enabled`.execute(tx);
}

/** The enabled webhooks of workspaces that have no other member (system role). */
export async function listEnabledWebhooksOfOnlyMember(
  tx: Tx,
  userId: number,
): Promise<{ id: number; workspaceId: number }[]> {
  const { rows } = await sql<Row<'list-enabled-webhooks-of-only-member'>>`
    select w.id, w.workspace_id as "workspaceId"
    from memberships m join webhooks w on w.workspace_id = m.workspace_id and w.enabled
    where m.user_id = ${userId} and not exists (select from memberships other
      where other.workspace_id = m.workspace_id and other.user_id <> m.user_id)
    order by w.id`.execute(tx);
  return rows;
}

/** Disables the webhook and abandons its pending deliveries, which can be redelivered later. */
export async function disableWebhook(
  tx: Tx,
  webhook: { workspaceId: number; webhookId: number; by: 'user' | 'gone' | 'failing'; now: Date },
): Promise<void> {
  const { workspaceId, webhookId, by } = webhook;
  await sql`
    update webhooks set enabled = false, disabled_by = ${by}
      where workspace_id = ${workspaceId} and id = ${webhookId} and enabled`.execute(tx);
  await abandonPending(tx, webhook);
}

async function abandonPending(
  tx: Tx,
  { workspaceId, webhookId, now }: { workspaceId: number; webhookId: number; now: Date },
): Promise<void> {
  await sql`
    update deliveries set state = 'abandoned', next_at = null, queued_until = null,
      finished_at = ${now}
    where workspace_id = ${workspaceId} and webhook_id = ${webhookId}
      and state = 'pending'`.execute(tx);
}

export async function recordWebhookSuccess(tx: Tx, workspaceId: number, id: number): Promise<void> {
  await sql`update webhooks set failing_since = null, failures = 0,
      has_succeeded = true
    where workspace_id = ${workspaceId} and id = ${id}
      and (failing_since is not null or not has_succeeded)`.execute(tx);
}

/**
 * Returns how long and how often the webhook has failed; undefined when it was deleted or disabled.
 */
export async function recordWebhookFailure(
  tx: Tx,
  workspaceId: number,
  id: number,
  now: Date,
): Promise<{ failures: number; failingSince: Date } | undefined> {
  const { rows } = await sql<
    Row<'record-webhook-failure', { failures: number; failingSince: Date }, 'failingSince'>
  >`
    update webhooks set failures = failures + 1, failing_since = coalesce(failing_since, ${now})
    where workspace_id = ${workspaceId} and id = ${id} and enabled
    returning failures, failing_since as "failingSince"`.execute(tx);
  return rows[0];
}
