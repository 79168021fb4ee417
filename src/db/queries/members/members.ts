import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export type Role = 'owner' | 'member';

export interface MemberRow {
  /** The user's name. */
  id: number;
  email: string;
  name: string | null;
  role: Role;
  joinedAt: Date;
}

const memberLimit = 500;

/**
 * System role only, like everything here: users belong to no workspace. Ordered by the time of
 * joining.
 */
export async function listMembers(db: Db | Tx, workspaceId: number): Promise<MemberRow[]> {
  const { rows } = await sql<Row<'list-members', MemberRow, 'role'>>`
    select u.id, u.email, u.name, m.role, m.created_at as "joinedAt"
    from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} order by m.created_at, u.id limit ${memberLimit}`.execute(
    db,
  );
  return rows;
}

export async function findMember(
  tx: Tx,
  workspaceId: number,
  userId: number,
): Promise<MemberRow | undefined> {
  const { rows } = await sql<Row<'find-member', MemberRow, 'role'>>`
    select u.id, u.email, u.name, m.role, m.created_at as "joinedAt"
    from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} and m.user_id = ${userId}`.execute(tx);
  return rows[0];
}

/**
 * Serializes changes of a workspace's members. Otherwise the last two owners could remove each
 * other.
 */
export async function lockMembers(tx: Tx, workspaceId: number): Promise<void> {
  await sql`select from workspaces where id = ${workspaceId} for no key update`.execute(tx);
}

export async function countMembers(tx: Tx, workspaceId: number): Promise<number> {
  const { rows } = await sql<Row<'count-members'>>`
    select count(*)::int as members from memberships where workspace_id = ${workspaceId}`.execute(
    tx,
  );
  return rows[0]!.members;
}

/** All members, for the deletion of the workspace. */
export async function listMemberIds(tx: Tx, workspaceId: number): Promise<number[]> {
  const { rows } = await sql<
    Row<'list-member-ids'>
  >`select user_id as id from memberships where workspace_id = ${workspaceId}`.execute(tx);
  return rows.map((row) => row.id);
}

/** True when somebody else owns the workspace too. Accounts that are being deleted do not count. */
export async function hasOtherOwner(tx: Tx, workspaceId: number, userId: number): Promise<boolean> {
  const { rows } = await sql`
    select from memberships m join users u on u.id = m.user_id and u.delete_at is null
    where m.workspace_id = ${workspaceId} and m.role = 'owner' and m.user_id <> ${userId}
    limit 1`.execute(tx);
  return rows.length === 1;
}

export async function updateRole(
  tx: Tx,
  workspaceId: number,
  userId: number,
  role: Role,
): Promise<void> {
  await sql`
    update memberships set role = ${role} where workspace_id = ${workspaceId}
      and user_id = ${userId}`.execute(tx);
}

/** Deletes the membership, and with it the person's sessions and tokens in this workspace. */
export async function deleteMembership(
  tx: Tx,
  workspaceId: number,
  userId: number,
  now: Date,
): Promise<void> {
  await sql`
    delete from sessions where workspace_id = ${workspaceId} and user_id = ${userId}`.execute(tx);
  await sql`
    update tokens set revoked_at = coalesce(revoked_at, ${now})
      where workspace_id = ${workspaceId} and user_id = ${userId}`.execute(tx);
  await sql`
    delete from memberships where workspace_id = ${workspaceId} and user_id = ${userId}`.execute(
    tx,
  );
}

/**
 * Deletes accounts that belong to no workspace any more, and returns their addresses. Nobody could
 * sign in with them, sign up again or be invited again.
 */
export async function deleteHomelessUsers(tx: Tx, userIds: readonly number[]): Promise<string[]> {
  // Locked first, so that nobody joins another workspace between the check and the deletion.
  await sql`select from users where id = any(${userIds}::int[]) order by id for update`.execute(tx);
  const { rows } = await sql<Row<'homeless-users'>>`
    delete from users u where id = any(${userIds}::int[]) and not exists (select from memberships m
      where m.user_id = u.id)
    returning email`.execute(tx);
  return rows.map((row) => row.email);
}

export async function listMembershipsOf(tx: Tx, userId: number): Promise<number[]> {
  const { rows } = await sql<Row<'list-memberships-of'>>`
    select workspace_id as id from memberships where user_id = ${userId} order by 1`.execute(tx);
  return rows.map((row) => row.id);
}

/** False when the person is already a member; the role stays. */
export async function joinWorkspace(
  tx: Tx,
  membership: { workspaceId: number; userId: number; role: Role; createdAt: Date },
): Promise<boolean> {
  const { workspaceId, userId, role, createdAt } = membership;
  const { rows } = await sql`
    insert into memberships (workspace_id, user_id, role, created_at)
      values (${workspaceId}, ${userId}, ${role}, ${createdAt})
    on conflict do nothing returning 1`.execute(tx);
  return rows.length === 1;
}
