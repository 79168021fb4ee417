import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface TokenOwner {
  tokenId: number;
  userId: number;
  workspaceId: number;
  email: string;
  role: 'owner' | 'member';
  state: 'trial' | 'live' | 'lapsed' | 'suspended';
  plan: string | null;
  trialEndsAt: Date | null;
  operator: boolean;
  emailConfirmed: boolean;
  readOnly: boolean;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

/** The only statement that a token costs per request. Revoked tokens are not found. */
export async function findTokenOwner(db: Db, secretHash: Buffer): Promise<TokenOwner | undefined> {
  const { rows } = await sql<
    Row<'find-token-owner', TokenOwner, 'role' | 'state'>
  >`/* find-token-owner */
    select t.id as "tokenId", t.user_id as "userId", t.workspace_id as "workspaceId", u.email,
      m.role,
      w.state, w.plan, w.trial_ends_at as "trialEndsAt", u.operator,
        u.email_confirmed_at is not null as "emailConfirmed",
      t.read_only as "readOnly", t.expires_at as "expiresAt", t.last_used_at as "lastUsedAt"
    from tokens t
    join users u on u.id = t.user_id and u.delete_at is null
    join memberships m on m.workspace_id = t.workspace_id and m.user_id = t.user_id
    join workspaces w on w.id = t.workspace_id
    where t.secret_hash = ${secretHash} and t.revoked_at is null`.execute(db);
  return rows[0];
}

export async function updateTokenUse(
  db: Db,
  use: { tokenId: number; at: Date; address: string; unlessAfter: Date },
): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ last_used_at: use.at, last_used_ip: use.address })
    .where('id', '=', use.tokenId)
    .where((where) =>
      where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', use.unlessAfter)]),
    )
    .execute();
}

export interface TokenRow {
  id: number;
  name: string;
  prefix: string;
  readOnly: boolean;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  lastUsedIp: string | null;
  revokedAt: Date | null;
}

const columns = [
  'id',
  'name',
  'prefix',
  'read_only as readOnly',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'last_used_at as lastUsedAt',
  'last_used_ip as lastUsedIp',
  'revoked_at as revokedAt',
] as const;

export interface Mine {
  workspaceId: number;
  userId: number;
}

/** Newest first, at most `limit`, with ids below `beforeId`. */
export function listTokens(
  tx: Tx,
  mine: Mine,
  page: { limit: number; beforeId: number | null },
): Promise<TokenRow[]> {
  return tx
    .selectFrom('tokens')
    .select(columns)
    .where('workspace_id', '=', mine.workspaceId)
    .where('user_id', '=', mine.userId)
    .$if(page.beforeId !== null, (query) => query.where('id', '<', page.beforeId!))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();
}

export async function countTokens(tx: Tx, mine: Mine): Promise<number> {
  const row = await tx
    .selectFrom('tokens')
    .select((select) => select.fn.countAll<bigint>().as('all'))
    .where('workspace_id', '=', mine.workspaceId)
    .where('user_id', '=', mine.userId)
    .executeTakeFirstOrThrow();
  return Number(row.all);
}

/** Serializes a person's new tokens, and counts those that are neither revoked nor expired. */
export async function countLiveTokens(tx: Tx, mine: Mine, now: Date): Promise<number> {
  const { workspaceId, userId } = mine;
  await sql`select pg_advisory_xact_lock(hashtext('tokens'), ${userId}::int)`.execute(tx);
  const { rows } = await sql<Row<'count-live-tokens'>>`/* count-live-tokens */
    select count(*)::int as count from tokens
    where workspace_id = ${workspaceId} and user_id = ${userId} and revoked_at is null
      and (expires_at is null or expires_at > ${now})`.execute(tx);
  return rows[0]!.count;
}

export interface NewToken extends Mine {
  name: string;
  prefix: string;
  secretHash: Buffer;
  readOnly: boolean;
  createdAt: Date;
  expiresAt: Date | null;
}

export function insertToken(tx: Tx, token: NewToken): Promise<TokenRow> {
  return tx
    .insertInto('tokens')
    .values({
      workspace_id: token.workspaceId,
      user_id: token.userId,
      name: token.name,
      prefix: token.prefix,
      secret_hash: token.secretHash,
      read_only: token.readOnly,
      created_at: token.createdAt,
      expires_at: token.expiresAt,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export function updateTokenName(
  tx: Tx,
  mine: Mine,
  tokenId: number,
  name: string,
): Promise<TokenRow | undefined> {
  return tx
    .updateTable('tokens')
    .set({ name })
    .where('workspace_id', '=', mine.workspaceId)
    .where('user_id', '=', mine.userId)
    .where('id', '=', tokenId)
    .returning(columns)
    .executeTakeFirst();
}

/** Whether a token was not revoked (system role). */
export async function hasLiveToken(tx: Tx, userId: number, tokenId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('tokens')
    .select('id')
    .where('id', '=', tokenId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Undefined when the person has no such token; false when it was already revoked, which keeps its
 * time.
 */
export async function revokeToken(
  tx: Tx,
  mine: Mine,
  tokenId: number,
  now: Date,
): Promise<boolean | undefined> {
  const { rows } = await sql<Row<'revoke-token'>>`
    update tokens t set revoked_at = coalesce(before.revoked_at, ${now})
    from (select id, revoked_at from tokens
      where workspace_id = ${mine.workspaceId} and user_id = ${mine.userId} and id = ${tokenId}
        for update) before
    where t.workspace_id = ${mine.workspaceId} and t.id = before.id
      returning before.revoked_at is null as "wasLive"`.execute(tx);
  return rows[0]?.wasLive;
}

/**
 * Revokes all tokens of a person in every workspace (system role), and returns those that were
 * active.
 */
export async function revokeTokensOf(
  tx: Tx,
  userId: number,
  now: Date,
): Promise<{ id: number; workspaceId: number }[]> {
  const { rows } = await sql<Row<'revoke-tokens-of'>>`
    update tokens set revoked_at = ${now} where user_id = ${userId} and revoked_at is null
      returning id, workspace_id as "workspaceId"`.execute(tx);
  return rows;
}
