import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/**
 * The owners of a workspace, or all its members, with confirmed addresses and active accounts.
 */
export async function listMailRecipients(
  tx: Tx,
  workspaceId: number,
  everyone: boolean,
): Promise<{ userId: number }[]> {
  const { rows } = await sql<Row<'list-mail-recipients'>>`
    select m.user_id as "userId" from memberships m
      join users u on u.id = m.user_id and u.email_confirmed_at is not null and u.delete_at is null
    where m.workspace_id = ${workspaceId} and (${everyone}::boolean or m.role = 'owner')
      order by m.user_id`.execute(tx);
  return rows;
}

/** Undefined when the person has left, or no longer gets email. */
export async function findMailRecipient(
  tx: Tx,
  workspaceId: number,
  userId: number,
): Promise<{ email: string; workspace: string } | undefined> {
  const { rows } = await sql<Row<'find-mail-recipient'>>`
    select u.email, w.name as workspace from memberships m join users u on u.id = m.user_id
      join workspaces w on w.id = m.workspace_id
    where m.workspace_id = ${workspaceId} and m.user_id = ${userId}
      and u.email_confirmed_at is not null and u.delete_at is null`.execute(tx);
  return rows[0];
}
