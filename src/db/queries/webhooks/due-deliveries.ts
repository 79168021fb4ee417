import { sql, type RawBuilder } from 'kysely';
import { keywordAlertTypes } from '#contract/choices.ts';
import type { WebhookKind } from '#contract/webhooks.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { isLeased, lastLeaseEnd } from '../runs/leases.ts';
import type { WebhookSecretsRow } from './webhooks.ts';

/** Deliveries in progress to receivers that may hang: of all workspaces, and of each. */
const mayHang = { total: 48, perWorkspace: 8 };

/**
 * No retry waits longer, with its jitter. A delivery that is due later was planned by a clock that
 * was ahead, and counts as due.
 */
export const longestRetryMs = 29 * 3_600_000;
const lastRetry = (now: Date) => new Date(now.getTime() + longestRetryMs);

/**
 * Leases due deliveries that no worker has: the oldest of each webhook, at most two of one webhook
 * at a time, and one of a failing webhook, so that a slow receiver delays nobody else. Chats also
 * get one at a time, so that a delivery in progress is never batched into another message.
 * Receivers that respond come first; few slots are for those that may hang, round-robin over
 * the workspaces.
 */
export async function takeDueDeliveries(
  db: Db,
  input: { now: Date; until: Date; limit: number },
): Promise<{ id: number; attempts: number }[]> {
  const { now } = input;
  const isFree = sql`(d.queued_until is null or d.queued_until <= ${now}
    or d.queued_until > ${lastLeaseEnd(now)})`;
  const oldest = (isDue: RawBuilder<unknown>) => sql`
    (select id, next_at from deliveries d
      where d.webhook_id = r.id and d.state = 'pending' and ${isDue} and ${isFree}
      order by next_at, id limit greatest(0, r.most - r.taken))`;
  const { rows } = await sql<Row<'take-due-deliveries'>>`/* take-due-deliveries */
    with receivers as (
      select w.id, w.workspace_id,
        w.failing_since is not null or not w.has_succeeded as may_hang,
        case when w.failing_since is null and w.kind = 'standard' then 2 else 1 end as most,
        (select count(*) from deliveries q
          where q.webhook_id = w.id and ${isLeased(now)}) as taken
      from webhooks w where w.enabled
    ), busy as (
      select workspace_id, sum(taken) as taken from receivers where may_hang
      group by workspace_id
    ), due as (
      select p.id, p.next_at, r.workspace_id, r.may_hang,
        row_number() over (partition by r.workspace_id, r.may_hang order by p.next_at, p.id)
          as round
      from receivers r
      cross join lateral (
        select id, next_at from (
          ${oldest(sql`d.next_at <= ${now}`)} union all
          ${oldest(sql`d.next_at > ${lastRetry(now)}`)}
        ) either
        order by next_at, id limit greatest(0, r.most - r.taken)
      ) p
    ), next as (
      (select id, false as may_hang, round, next_at from due where not may_hang)
      union all
      (select due.id, true, due.round, due.next_at from due left join busy using (workspace_id)
        where may_hang and round + coalesce(busy.taken, 0) <= ${mayHang.perWorkspace}::int
        order by round, next_at, id
        limit greatest(0, ${mayHang.total}::int - coalesce((select sum(taken) from busy), 0)))
      order by may_hang, round, next_at, id limit ${input.limit}
    )
    update deliveries d set queued_until = ${input.until} from next
    where d.id = next.id and ${isFree}
    returning d.id::float8 as id, d.attempts`.execute(db);
  return rows.toSorted((a, b) => a.id - b.id);
}

export async function releaseDeliveries(db: Db, ids: number[]): Promise<void> {
  await sql`update deliveries set queued_until = null where id = any(${ids}::bigint[])`.execute(db);
}

export interface DueDelivery extends WebhookSecretsRow {
  id: number;
  workspaceId: number;
  webhookId: number;
  messageId: string;
  type: string;
  body: string;
  attempts: number;
  tries: number;
  createdAt: Date;
  url: string;
  kind: WebhookKind;
}

/** The due delivery; undefined when it was sent, batched or discarded in the meantime. */
export async function findDueDelivery(
  db: Db | Tx,
  id: number,
  now: Date,
): Promise<DueDelivery | undefined> {
  const { rows } = await sql<
    Row<'find-due-delivery', DueDelivery, 'body' | 'kind' | 'oldSecrets'>
  >`/* find-due-delivery */
    select d.id::float8 as id, d.workspace_id as "workspaceId", d.webhook_id as "webhookId",
      d.message_id as "messageId", d.type,
      coalesce(d.body, e.body) as body, d.attempts, d.tries, d.created_at as "createdAt", w.url,
        w.kind, w.secret, w.old_secrets as "oldSecrets"
    from deliveries d join webhooks w on w.id = d.webhook_id left join events e on e.id = d.event_id
    where d.id = ${id} and d.state = 'pending' and w.enabled
      and (d.next_at <= ${now} or d.next_at > ${lastRetry(now)})`.execute(db);
  return rows[0];
}

interface Known {
  id: number;
  workspaceId: number;
  webhookId: number;
}

export async function rescheduleDelivery(
  db: Db | Tx,
  { id, workspaceId }: Known,
  nextAt: Date,
): Promise<void> {
  await sql`update deliveries set next_at = ${nextAt}, queued_until = null
    where workspace_id = ${workspaceId} and id = ${id} and state = 'pending'`.execute(db);
}

/**
 * Reschedules the delivery and the untried keyword events of its webhook, the earliest first. One
 * by one they would take every lease of the webhook, and its other messages would wait.
 */
export async function rescheduleBatch(
  tx: Tx,
  { id, workspaceId, webhookId }: Known,
  { nextAt, limit }: { nextAt: Date; limit: number },
): Promise<void> {
  await sql`/* reschedule-batch */
    update deliveries set next_at = ${nextAt}, queued_until = null
    where workspace_id = ${workspaceId} and id in (select id from deliveries
      where workspace_id = ${workspaceId} and webhook_id = ${webhookId} and state = 'pending'
        and next_at is not null and tries = 0 and type = any(${[...keywordAlertTypes]}::text[])
      order by id = ${id} desc, next_at, id limit ${limit} for update skip locked)`.execute(tx);
}

export async function lockWebhook(tx: Tx, workspaceId: number, webhookId: number): Promise<void> {
  await sql`
    select id from webhooks where workspace_id = ${workspaceId} and id = ${webhookId}
      for no key update`.execute(tx);
}

/**
 * The delivery itself, the deliveries batched into it before, and the untried keyword events of its
 * webhook, ordered by event. A delivery that carries a batch is never batched itself: its parts
 * would wait forever.
 */
export async function listBatchedDeliveries(
  tx: Tx,
  { id, workspaceId, webhookId }: Known,
  limit: number,
): Promise<{ id: number; body: string }[]> {
  const { rows } = await sql<Row<'list-batched-deliveries'>>`
    select d.id::float8 as id, e.body from deliveries d join events e on e.id = d.event_id
    where d.workspace_id = ${workspaceId} and d.webhook_id = ${webhookId} and d.state = 'pending'
      and d.tries = 0
      and d.type = any(${[...keywordAlertTypes]}::text[])
      and (d.part_of is null or d.part_of = ${id})
      and (d.id = ${id} or not exists (select from deliveries x where x.part_of = d.id))
    order by (d.id = ${id} or d.part_of = ${id}) is true desc, e.sequence limit ${limit}`.execute(
    tx,
  );
  return rows.toSorted((a, b) => a.id - b.id);
}

/** Batches deliveries into one message: the others get the outcome of this one. */
export async function mergeDeliveries(
  tx: Tx,
  { id, workspaceId }: Known,
  merged: { ids: number[]; body: string },
): Promise<void> {
  await sql`
    update deliveries set body = ${merged.body}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
  await sql`update deliveries set part_of = ${id}, next_at = null, queued_until = null
    where workspace_id = ${workspaceId} and id = any(${merged.ids}::bigint[])
      and id <> ${id}`.execute(tx);
}

/**
 * Completes the delivery with those that are batched into it. False when another worker wrote this
 * attempt, or the delivery was abandoned or deleted. A success counts even for abandoned ones.
 */
export async function completeDelivery(
  tx: Tx,
  known: Known & { attempts: number },
  outcome: {
    state: 'pending' | 'succeeded' | 'failed';
    tries: number;
    nextAt: Date | null;
    now: Date;
  },
): Promise<boolean> {
  const finishedAt = outcome.state === 'pending' ? null : outcome.now;
  const counts = sql`(state = 'pending' or ${outcome.state === 'succeeded'})`;
  const { rows } = await sql`
    update deliveries set attempts = attempts + 1, tries = ${outcome.tries},
      state = ${outcome.state}, next_at = ${outcome.nextAt},
      queued_until = null, finished_at = ${finishedAt}
    where workspace_id = ${known.workspaceId} and id = ${known.id} and attempts = ${known.attempts}
      and ${counts}
    returning id`.execute(tx);
  if (rows.length === 0) return false;
  if (finishedAt !== null)
    await sql`update deliveries set state = ${outcome.state}, finished_at = ${finishedAt}
      where workspace_id = ${known.workspaceId} and part_of = ${known.id} and ${counts}`.execute(
      tx,
    );
  return true;
}

/**
 * Counts an attempt of a delivery that was abandoned in the meantime. False when another worker
 * wrote this attempt, or the delivery was deleted.
 */
export async function countAttempt(tx: Tx, known: Known & { attempts: number }): Promise<boolean> {
  const { rows } = await sql`
    update deliveries set attempts = attempts + 1
    where workspace_id = ${known.workspaceId} and id = ${known.id} and attempts = ${known.attempts}
      returning id`.execute(tx);
  return rows.length > 0;
}

export interface NewAttempt {
  number: number;
  at: Date;
  requestHeaders: Record<string, string>;
  reply: {
    status: number | null;
    error: string | null;
    latencyMs: number;
    headers: Record<string, string>;
    head: string;
  };
  nextAt: Date | null;
}

/** Also makes the delivery the last one of its webhook, which the caller has locked. */
export async function insertAttempt(
  tx: Tx,
  { id, workspaceId, webhookId }: Known,
  attempt: NewAttempt,
): Promise<void> {
  const { reply } = attempt;
  await sql`
    with last as (
      update webhooks set last_delivery_id = ${id}
      where workspace_id = ${workspaceId} and id = ${webhookId}
        and last_delivery_id is distinct from ${id}
    )
    insert into delivery_attempts
      (workspace_id, delivery_id, number, at, status, latency_ms, error, next_at, request_headers,
        response_headers, response_head)
    values (${workspaceId}, ${id}, ${attempt.number}, ${attempt.at}, ${reply.status},
      ${reply.latencyMs}, ${reply.error}, ${attempt.nextAt},
      ${JSON.stringify(attempt.requestHeaders)},
        ${reply.status === null ? null : JSON.stringify(reply.headers)},
      ${reply.status === null ? null : reply.head})`.execute(tx);
}
