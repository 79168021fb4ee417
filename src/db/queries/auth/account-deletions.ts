import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/**
 * A workspace of a person, with the members who would remain in it. Accounts that are being deleted
 * do not count.
 */
export interface Home {
  workspaceId: number;
  name: string;
  role: 'owner' | 'member';
  others: number;
  otherOwners: number;
  deleteAt: Date | null;
}

export async function listHomes(db: Db | Tx, userId: number): Promise<Home[]> {
  const { rows } = await sql<Row<'list-homes', Home, 'role'>>`
    select w.id as "workspaceId", w.name, m.role, w.delete_at as "deleteAt",
      count(u.id)::int as others, (count(u.id) filter (where o.role = 'owner'))::int
        as "otherOwners"
    from memberships m join workspaces w on w.id = m.workspace_id
    left join memberships o on o.workspace_id = w.id and o.user_id <> m.user_id
    left join users u on u.id = o.user_id and u.delete_at is null
    where m.user_id = ${userId} group by w.id, m.role order by w.id`.execute(db);
  return rows;
}

/**
 * Locks the person's workspaces, so that nobody joins or leaves them until the transaction ends;
 * lowest id first.
 */
export async function lockHomes(tx: Tx, userId: number): Promise<void> {
  await sql`
    select from workspaces where id in (select workspace_id from memberships
      where user_id = ${userId}) order by id for no key update`.execute(tx);
}

/** Marks an account as deleted; false when it already is. */
export async function markUserDeleted(tx: Tx, userId: number, deleteAt: Date): Promise<boolean> {
  const { rows } = await sql`
    update users set delete_at = ${deleteAt} where id = ${userId} and delete_at is null
    returning 1`.execute(tx);
  return rows.length === 1;
}

/** Cancels the deletion; false when its date has passed. */
export async function unmarkUserDeleted(tx: Tx, userId: number, now: Date): Promise<boolean> {
  const { rows } = await sql`
      update users set delete_at = null where id = ${userId} and delete_at > ${now}
      returning 1`.execute(tx);
  return rows.length === 1;
}

/** Accounts whose deletion is due: those after an id first, then the others. */
export async function listUsersToPurge(
  db: Db,
  now: Date,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<Row<'list-users-to-purge'>>`
    select id from users where delete_at <= ${now}
    order by id <= ${after}, id limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/**
 * Deletes the account and its memberships if its deletion is due, and returns its address.
 * Workspaces without members are deleted afterwards.
 */
export async function deleteDueUser(
  tx: Tx,
  userId: number,
  now: Date,
): Promise<string | undefined> {
  const homes = await sql<
    Row<'delete-due-user'>
  >`select workspace_id as id from memberships where user_id = ${userId}`.execute(tx);
  const { rows } = await sql<
    Row<'delete-user-now-due'>
  >`delete from users where id = ${userId} and delete_at <= ${now} returning email`.execute(tx);
  await sql`
    update workspaces w set delete_at = ${now}
      where id = any(${homes.rows.map((row) => row.id)}::int[]) and delete_at is null
      and not exists (select from memberships m where m.workspace_id = w.id)`.execute(tx);
  return rows[0]?.email;
}
