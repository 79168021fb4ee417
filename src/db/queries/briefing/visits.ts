import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface VisitRow {
  on: string;
  previousOn: string | null;
}

/** A person's last visit of the briefing, and the last one on an earlier day. */
export async function findVisit(
  tx: Tx,
  workspaceId: number,
  userId: number,
): Promise<VisitRow | undefined> {
  const { rows } = await sql<Row<'find-visit', VisitRow>>`
    select visited_on as "on", previous_on as "previousOn" from briefing_visits
    where workspace_id = ${workspaceId} and user_id = ${userId}`.execute(tx);
  return rows[0];
}

/** A day before the last visit changes nothing: clocks can be set back. */
export async function upsertVisit(
  tx: Tx,
  workspaceId: number,
  userId: number,
  today: string,
): Promise<VisitRow> {
  const { rows } = await sql<Row<'upsert-visit', VisitRow>>`
    insert into briefing_visits as v (workspace_id, user_id, visited_on)
    values (${workspaceId}, ${userId}, ${today})
    on conflict (workspace_id, user_id) do update set
      previous_on = case when excluded.visited_on > v.visited_on then v.visited_on
        else v.previous_on end,
      visited_on = greatest(v.visited_on, excluded.visited_on)
    returning visited_on as "on", previous_on as "previousOn"`.execute(tx);
  return rows[0]!;
}
