import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';

/** False when the person has `max` links that still work: then none is made. Forgets those that ended. */
export async function insertPasswordReset(
  tx: Tx,
  reset: { userId: number; secretHash: Buffer; createdAt: Date; expiresAt: Date },
  max: number,
): Promise<boolean> {
  const { userId, secretHash, createdAt, expiresAt } = reset;
  await sql`select from users where id = ${userId} for update`.execute(tx);
  await sql`delete from password_resets where expires_at <= ${createdAt}`.execute(tx);
  const { rows } = await sql`
    insert into password_resets (secret_hash, user_id, created_at, expires_at)
    select ${secretHash}, ${userId}, ${createdAt}, ${expiresAt}
    where (select count(*) from password_resets where user_id = ${userId}) < ${max}
    returning 1`.execute(tx);
  return rows.length === 1;
}

export async function findPasswordReset(db: Db, secretHash: Buffer, now: Date): Promise<{ userId: number; email: string } | undefined> {
  const { rows } = await sql<{ userId: number; email: string }>`
    select u.id as "userId", u.email from password_resets r join users u on u.id = r.user_id
    where r.secret_hash = ${secretHash} and r.expires_at > ${now}`.execute(db);
  return rows[0];
}

/** Ends the link; false when somebody used it in the meantime. */
export async function deletePasswordReset(tx: Tx, secretHash: Buffer): Promise<boolean> {
  const { rows } = await sql`delete from password_resets where secret_hash = ${secretHash} returning 1`.execute(tx);
  return rows.length === 1;
}

export async function deletePasswordResetsOf(tx: Tx, userId: number): Promise<void> {
  await sql`delete from password_resets where user_id = ${userId}`.execute(tx);
}
