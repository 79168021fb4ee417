import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface UserRow {
  id: number;
  email: string;
  name: string | null;
  passwordHash: string;
  emailConfirmedAt: Date | null;
  /** The instant at which a deleted account is erased. */
  deleteAt: Date | null;
}

export type NewUser = Omit<UserRow, 'id' | 'deleteAt'> & { createdAt: Date };

const columns = [
  'id',
  'email',
  'name',
  'password_hash as passwordHash',
  'email_confirmed_at as emailConfirmedAt',
  'delete_at as deleteAt',
] as const;

/** System role only: users belong to no workspace. */
export function findUserByEmail(db: Db | Tx, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').select(columns).where('email', '=', email).executeTakeFirst();
}

export function findUserById(db: Db | Tx, userId: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').select(columns).where('id', '=', userId).executeTakeFirst();
}

export async function hasUsers(db: Db | Tx): Promise<boolean> {
  const { rows } = await sql<Row<'has-users'>>`select exists (select from users) as found`.execute(
    db,
  );
  return rows[0]?.found === true;
}

/** Null when the address already has an account. */
export async function insertUser(tx: Tx, user: NewUser): Promise<number | null> {
  const row = await tx
    .insertInto('users')
    .values({
      email: user.email,
      name: user.name,
      password_hash: user.passwordHash,
      email_confirmed_at: user.emailConfirmedAt,
      created_at: user.createdAt,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

/**
 * Checks the person's password and locks the row, so that the password stays valid until the
 * transaction ends. Callers that change the row lock it with `update`.
 */
export async function holdPassword(
  tx: Tx,
  userId: number,
  passwordHash: string,
  lock: 'share' | 'update' = 'share',
): Promise<boolean> {
  const { rows } = await sql`
    select from users where id = ${userId} and password_hash = ${passwordHash}
      ${lock === 'share' ? sql`for share` : sql`for update`}`.execute(tx);
  return rows.length === 1;
}

/**
 * Serializes changes of a user's password, links, address or sessions. Only locks on workspaces are
 * taken before it, to avoid deadlocks.
 */
export async function lockUser(tx: Tx, userId: number): Promise<void> {
  await sql`select from users where id = ${userId} for update`.execute(tx);
}

/** Waits for such changes, and holds off others until the transaction ends; in the same order. */
export async function holdUser(tx: Tx, userId: number): Promise<void> {
  await sql`select from users where id = ${userId} for share`.execute(tx);
}

export async function updatePasswordHash(
  db: Db | Tx,
  userId: number,
  passwordHash: string,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('id', '=', userId)
    .execute();
}

/** A later confirmation does not change the time of the first. */
export async function updateEmailConfirmed(db: Db | Tx, userId: number, at: Date): Promise<void> {
  await sql`
    update users set email_confirmed_at = coalesce(email_confirmed_at, ${at})
    where id = ${userId}`.execute(db);
}

export interface OperatorRow {
  id: number;
  before: boolean;
  emailConfirmed: boolean;
}

/** Returns the previous value; undefined for an address without an account. */
export async function updateOperator(
  tx: Tx,
  email: string,
  operator: boolean,
): Promise<OperatorRow | undefined> {
  const { rows } = await sql<Row<'update-operator', OperatorRow>>`
    update users u set operator = ${operator} from users old
      where u.email = ${email} and old.id = u.id
    returning u.id, old.operator as before,
      u.email_confirmed_at is not null as "emailConfirmed"`.execute(tx);
  return rows[0];
}

/**
 * Locks the instance's row until the transaction ends, so that one sign-up at a time checks whether
 * accounts exist.
 */
export async function lockInstance(tx: Tx): Promise<{ setupTokenHash: Buffer | null }> {
  const row = await tx
    .selectFrom('instance')
    .select('setup_token_hash as setupTokenHash')
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row;
}

export async function updateSetupTokenHash(db: Db | Tx, hash: Buffer | null): Promise<void> {
  await db.updateTable('instance').set({ setup_token_hash: hash }).execute();
}
