import { sql } from 'kysely';
import type { WebhookKind } from '#contract/webhooks.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface NewDelivery {
  webhookId: number;
  eventId: bigint;
  messageId: string;
  type: string;
  /** Null: the event's own body. */
  body: string | null;
  createdAt: Date;
  nextAt: Date;
}

/** Inserts one delivery for each webhook and event. Existing deliveries stay as they are. */
export async function insertDeliveries(
  tx: Tx,
  workspaceId: number,
  deliveries: NewDelivery[],
): Promise<void> {
  await sql`
    insert into deliveries (workspace_id, webhook_id, event_id, message_id, type, body, created_at,
      next_at)
    select ${workspaceId}, d.webhook_id, d.event_id, d.message_id, d.type, d.body, d.created_at,
      d.next_at
    from unnest(
      ${deliveries.map((row) => row.webhookId)}::int[],
        ${deliveries.map((row) => row.eventId)}::bigint[],
      ${deliveries.map((row) => row.messageId)}::text[],
        ${deliveries.map((row) => row.type)}::text[],
      ${deliveries.map((row) => row.body)}::text[],
        ${deliveries.map((row) => row.createdAt)}::timestamptz[],
      ${deliveries.map((row) => row.nextAt)}::timestamptz[]
    ) as d(webhook_id, event_id, message_id, type, body, created_at, next_at)
    on conflict (webhook_id, event_id) do nothing`.execute(tx);
}

export interface NewTestDelivery {
  webhookId: number;
  messageId: string;
  type: string;
  body: string;
  state: 'succeeded' | 'failed';
  createdAt: Date;
}

/** Records a test that was sent: one attempt, and no event. */
export async function insertTestDelivery(
  tx: Tx,
  workspaceId: number,
  row: NewTestDelivery,
): Promise<number> {
  const { rows } = await sql<Row<'insert-test-delivery'>>`
    insert into deliveries (workspace_id, webhook_id, message_id, type, state, body, attempts,
      tries, created_at, finished_at)
    values (${workspaceId}, ${row.webhookId}, ${row.messageId}, ${row.type}, ${row.state},
      ${row.body}, 1, 1, ${row.createdAt}, ${row.createdAt})
    returning id::float8 as id`.execute(tx);
  return rows[0]!.id;
}

export interface DeliveryRow {
  id: number;
  webhookId: number;
  url: string;
  kind: WebhookKind;
  messageId: string;
  type: string;
  sequence: number | null;
  state: 'pending' | 'succeeded' | 'failed' | 'abandoned';
  body: string;
  partOf: number | null;
  attempts: number;
  createdAt: Date;
  nextAt: Date | null;
  finishedAt: Date | null;
  last:
    | (Omit<AttemptRow, 'at' | 'nextAt' | 'requestHeaders' | 'responseHeaders'> & {
        at: string;
        nextAt: string | null;
      })
    | null;
}

const columns = sql`
  d.id::float8 as id, d.webhook_id as "webhookId", w.url, w.kind, d.message_id as "messageId",
  d.type, e.sequence::float8 as sequence, d.state, coalesce(d.body, e.body) as body,
  d.part_of::float8 as "partOf", d.attempts, d.created_at as "createdAt", d.next_at as "nextAt",
  d.finished_at as "finishedAt", last.row as last`;

const source = sql`
  deliveries d join webhooks w on w.id = d.webhook_id left join events e on e.id = d.event_id
  left join lateral (
    select json_build_object('number', a.number, 'at', a.at, 'status', a.status, 'latencyMs',
      a.latency_ms, 'error', a.error,
      'nextAt', a.next_at, 'responseHead', a.response_head) as row
    from delivery_attempts a where a.workspace_id = d.workspace_id and a.delivery_id = d.id
      order by a.number desc limit 1
  ) last on true`;

export interface DeliveryFilter {
  webhookId: number;
  state?: string | undefined;
  type?: string | undefined;
  from: Date | null;
}

const matches = (workspaceId: number, filter: DeliveryFilter) => sql`
  d.workspace_id = ${workspaceId} and d.webhook_id = ${filter.webhookId}
  and (${filter.state ?? null}::text is null or d.state = ${filter.state ?? null})
  and (${filter.type ?? null}::text is null or d.type = ${filter.type ?? null})
  and (${filter.from}::timestamptz is null or d.created_at >= ${filter.from})`;

/** Newest first, older than `before`. */
export async function listDeliveryRows(
  tx: Tx,
  workspaceId: number,
  filter: DeliveryFilter & { before: number | null; limit: number },
): Promise<DeliveryRow[]> {
  const { rows } = await sql<
    Row<'list-delivery-rows', DeliveryRow, 'kind' | 'state' | 'body' | 'last'>
  >`
    select ${columns} from ${source}
    where ${matches(workspaceId, filter)} and (${filter.before}::bigint is null
      or d.id < ${filter.before})
    order by d.id desc limit ${filter.limit}`.execute(tx);
  return rows;
}

export async function countDeliveries(
  tx: Tx,
  workspaceId: number,
  filter: DeliveryFilter,
): Promise<number> {
  const { rows } = await sql<Row<'count-deliveries'>>`
    select count(*)::int as deliveries from deliveries d
    where ${matches(workspaceId, filter)}`.execute(tx);
  return rows[0]!.deliveries;
}

export async function findDelivery(
  tx: Tx,
  workspaceId: number,
  id: number,
): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<Row<'find-delivery', DeliveryRow, 'kind' | 'state' | 'body' | 'last'>>`
      select ${columns} from ${source}
      where d.workspace_id = ${workspaceId} and d.id = ${id}`.execute(tx);
  return rows[0];
}

export interface AttemptRow {
  number: number;
  at: Date;
  status: number | null;
  latencyMs: number;
  error: string | null;
  nextAt: Date | null;
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string> | null;
  responseHead: string | null;
}

/** Newest first. */
export async function listAttempts(
  tx: Tx,
  workspaceId: number,
  deliveryId: number,
  limit: number,
): Promise<AttemptRow[]> {
  const { rows } = await sql<
    Row<'list-attempts', AttemptRow, 'requestHeaders' | 'responseHeaders'>
  >`
    select number, at, status, latency_ms as "latencyMs", error, next_at as "nextAt",
      request_headers as "requestHeaders",
      response_headers as "responseHeaders", response_head as "responseHead"
    from delivery_attempts where workspace_id = ${workspaceId} and delivery_id = ${deliveryId}
      order by number desc limit ${limit}`.execute(tx);
  return rows;
}

interface Redelivery {
  workspaceId: number;
  webhookId: number;
  jobId: number;
}

/**
 * Deliveries of events that ended in this state and were not restarted by the job, oldest first. Of
 * a chat's batch, only the delivery that carried it is returned.
 */
export async function listRedeliverable(
  tx: Tx,
  what: Redelivery & { status: string; from: Date; until: Date; limit: number },
): Promise<number[]> {
  const { rows } = await sql<Row<'list-redeliverable'>>`
    select id::float8 as id from deliveries
    where workspace_id = ${what.workspaceId} and webhook_id = ${what.webhookId}
      and state = ${what.status} and part_of is null and event_id is not null
      and created_at between ${what.from} and ${what.until}
      and redelivered_by is distinct from ${what.jobId}
    order by id limit ${what.limit}`.execute(tx);
  return rows.map((row) => row.id);
}

/**
 * Makes deliveries due now, at the beginning of the retry schedule, with their batched deliveries.
 * Returns how many.
 */
export async function restartDeliveries(
  tx: Tx,
  { workspaceId, webhookId, jobId }: Redelivery,
  ids: number[],
  now: Date,
): Promise<number> {
  const { rows } = await sql`
    update deliveries set state = 'pending', tries = 0, finished_at = null,
      redelivered_by = ${jobId}, queued_until = null,
      next_at = case when part_of is null then ${now}::timestamptz end
    where workspace_id = ${workspaceId} and webhook_id = ${webhookId}
      and (id = any(${ids}::bigint[]) or part_of = any(${ids}::bigint[]))
      and redelivered_by is distinct from ${jobId}
      and exists (select from webhooks w where w.workspace_id = ${workspaceId}
        and w.id = ${webhookId} and w.enabled)
    returning id`.execute(tx);
  return rows.length;
}

/**
 * Deletes deliveries that finished before `before`, with their attempts, except those that somebody
 * is restarting. Returns how many, at most a thousand.
 */
export async function purgeDeliveries(tx: Tx, before: Date): Promise<number> {
  const { rows } = await sql`
    delete from deliveries where id in (select id from deliveries where finished_at < ${before}
      order by finished_at limit 1000 for update skip locked)
    returning id`.execute(tx);
  return rows.length;
}
