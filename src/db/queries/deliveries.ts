import { sql } from 'kysely';
import type { Tx } from '../database.ts';

export interface NewDelivery {
  webhookId: number;
  eventId: bigint;
  messageId: string;
  type: string;
  /** Null: the event's own. */
  body: string | null;
  createdAt: Date;
  nextAt: Date;
}

/** One delivery for each webhook and event; one that is there already stays as it is. */
export async function insertDeliveries(tx: Tx, workspaceId: number, deliveries: NewDelivery[]): Promise<void> {
  await sql`
    insert into deliveries (workspace_id, webhook_id, event_id, message_id, type, body, created_at, next_at)
    select ${workspaceId}, d.webhook_id, d.event_id, d.message_id, d.type, d.body, d.created_at, d.next_at
    from unnest(
      ${deliveries.map((row) => row.webhookId)}::int[], ${deliveries.map((row) => row.eventId)}::bigint[],
      ${deliveries.map((row) => row.messageId)}::text[], ${deliveries.map((row) => row.type)}::text[],
      ${deliveries.map((row) => row.body)}::text[], ${deliveries.map((row) => row.createdAt)}::timestamptz[],
      ${deliveries.map((row) => row.nextAt)}::timestamptz[]
    ) as d(webhook_id, event_id, message_id, type, body, created_at, next_at)
    on conflict (webhook_id, event_id) do nothing`.execute(tx);
}
