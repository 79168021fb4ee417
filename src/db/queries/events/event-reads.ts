import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface UnreadRow {
  readSequence: number;
  newestSequence: number;
  unread: number;
}

/** Events after those that a person has read, since they joined. */
export async function countUnreadEvents(
  tx: Tx,
  workspaceId: number,
  userId: number,
): Promise<UnreadRow> {
  const { rows } = await sql<Row<'count-unread-events', UnreadRow>>`
    with mark as (
      select
        coalesce((select sequence from event_reads
          where workspace_id = ${workspaceId} and user_id = ${userId}), 0) as read,
        coalesce((select created_at from memberships
          where workspace_id = ${workspaceId} and user_id = ${userId}), '-infinity') as joined,
        coalesce((select sequence from event_counters
          where workspace_id = ${workspaceId}), 0) as newest
    )
    select read::float8 as "readSequence", newest::float8 as "newestSequence",
      (select count(*)::int from events e
        where e.workspace_id = ${workspaceId} and e.sequence > mark.read
          and e.occurred_at >= mark.joined) as unread
    from mark`.execute(tx);
  return rows[0]!;
}

/** A read event stays read, and nothing is read before it exists. */
export async function markEventsRead(
  tx: Tx,
  workspaceId: number,
  userId: number,
  sequence: number,
): Promise<void> {
  await sql`
    insert into event_reads as r (workspace_id, user_id, sequence)
    select ${workspaceId}, ${userId}, least(${sequence}::bigint, coalesce(
      (select sequence from event_counters where workspace_id = ${workspaceId}), 0))
    on conflict (workspace_id, user_id) do update set
      sequence = greatest(r.sequence, excluded.sequence)`.execute(tx);
}
