import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export type LinkPurpose = 'password' | 'confirmation';

export interface NewLink {
  userId: number;
  purpose: LinkPurpose;
  secretHash: Buffer;
  mailed: boolean;
  createdAt: Date;
  expiresAt: Date;
}

/**
 * Returns false and inserts nothing when the person has had `max` links of this purpose since
 * `since`. Deletes expired links.
 */
export async function insertAccountLink(
  tx: Tx,
  link: NewLink,
  { max, since }: { max: number; since: Date },
): Promise<boolean> {
  const { userId, purpose, secretHash, mailed, createdAt, expiresAt } = link;
  await sql`select from users where id = ${userId} for update`.execute(tx);
  await sql`delete from account_links where expires_at <= ${createdAt}`.execute(tx);
  const { rows } = await sql`
    insert into account_links (secret_hash, user_id, purpose, mailed, created_at, expires_at)
    select ${secretHash}, ${userId}, ${purpose}, ${mailed}, ${createdAt}, ${expiresAt}
    where (select count(*) from account_links where user_id = ${userId} and purpose = ${purpose}
      and created_at > ${since}) < ${max}
    returning 1`.execute(tx);
  return rows.length === 1;
}

export interface LinkOwner {
  userId: number;
  email: string;
  /** True when the link was mailed to the address, so that its use confirms the address. */
  mailed: boolean;
}

export async function findAccountLink(
  db: Db,
  purpose: LinkPurpose,
  secretHash: Buffer,
  now: Date,
): Promise<LinkOwner | undefined> {
  const { rows } = await sql<Row<'find-account-link', LinkOwner>>`
    select u.id as "userId", u.email, l.mailed from account_links l join users u on u.id = l.user_id
    where l.secret_hash = ${secretHash} and l.purpose = ${purpose}
      and l.expires_at > ${now}`.execute(db);
  return rows[0];
}

/** Consumes the link; false when somebody used it in the meantime. */
export async function deleteAccountLink(tx: Tx, secretHash: Buffer): Promise<boolean> {
  const { rows } =
    await sql`delete from account_links where secret_hash = ${secretHash} returning 1`.execute(tx);
  return rows.length === 1;
}

export async function deleteAccountLinksOf(
  tx: Tx,
  userId: number,
  purpose: LinkPurpose,
): Promise<void> {
  await sql`delete from account_links where user_id = ${userId} and purpose = ${purpose}`.execute(
    tx,
  );
}
