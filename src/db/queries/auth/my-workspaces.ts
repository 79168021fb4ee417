import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { Role } from '../members/members.ts';

/** A workspace of a person, with the person's role. */
export interface MyWorkspaceRow {
  id: number;
  name: string;
  role: Role;
  state: 'trial' | 'live' | 'lapsed' | 'suspended';
  plan: string | null;
  trialEndsAt: Date | null;
  deleteAt: Date | null;
}

const columns = sql`
  w.id, w.name, m.role, w.state, w.plan, w.trial_ends_at as "trialEndsAt",
  w.delete_at as "deleteAt"`;

/**
 * System role only, like everything here: a person belongs to no workspace. The workspace joined
 * first comes first.
 */
export async function listWorkspacesOf(db: Db, userId: number): Promise<MyWorkspaceRow[]> {
  const { rows } = await sql<Row<'list-workspaces-of', MyWorkspaceRow, 'role' | 'state'>>`
    select ${columns} from memberships m join workspaces w on w.id = m.workspace_id
    where m.user_id = ${userId} order by m.created_at, w.id limit 500`.execute(db);
  return rows;
}

/** Locks one of the person's workspaces and the membership until the transaction ends. */
export async function holdWorkspaceOf(
  tx: Tx,
  userId: number,
  workspaceId: number,
): Promise<MyWorkspaceRow | undefined> {
  const { rows } = await sql<Row<'hold-workspace-of', MyWorkspaceRow, 'role' | 'state'>>`
    select ${columns} from memberships m join workspaces w on w.id = m.workspace_id
    where m.user_id = ${userId} and m.workspace_id = ${workspaceId} for key share`.execute(tx);
  return rows[0];
}
