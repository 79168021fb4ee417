import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** Everything that a request needs to know about its caller, in one row. */
export interface SessionOwner {
  sessionId: number;
  userId: number;
  workspaceId: number;
  email: string;
  role: 'owner' | 'member';
  state: 'trial' | 'live' | 'lapsed' | 'suspended';
  plan: string | null;
  trialEndsAt: Date | null;
  operator: boolean;
  emailConfirmed: boolean;
  lastSeenAt: Date;
  expiresAt: Date;
}

/** The only statement that a session costs per request. */
export async function findSessionOwner(db: Db, idHash: Buffer): Promise<SessionOwner | undefined> {
  const { rows } = await sql<
    Row<'find-session-owner', SessionOwner, 'role' | 'state'>
  >`/* find-session-owner */
    select s.id as "sessionId", s.user_id as "userId", s.workspace_id as "workspaceId", u.email,
      m.role,
      w.state, w.plan, w.trial_ends_at as "trialEndsAt", u.operator,
        u.email_confirmed_at is not null as "emailConfirmed",
      s.last_seen_at as "lastSeenAt", s.expires_at as "expiresAt"
    from sessions s
    join users u on u.id = s.user_id and u.delete_at is null
    join memberships m on m.workspace_id = s.workspace_id and m.user_id = s.user_id
    join workspaces w on w.id = s.workspace_id
    where s.id_hash = ${idHash}`.execute(db);
  return rows[0];
}

export interface NewSession {
  workspaceId: number;
  userId: number;
  idHash: Buffer;
  createdAt: Date;
  expiresAt: Date;
  address: string | null;
  userAgent: string | null;
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({
      workspace_id: session.workspaceId,
      user_id: session.userId,
      id_hash: session.idHash,
      created_at: session.createdAt,
      last_seen_at: session.createdAt,
      expires_at: session.expiresAt,
      address: session.address,
      user_agent: session.userAgent,
    })
    .execute();
}

export interface NextSession extends Omit<NewSession, 'createdAt' | 'expiresAt'> {
  now: Date;
  /** The end of the replaced session's grace period. */
  oldEndsAt: Date;
}

/**
 * Replaces a session by one of the same person for another workspace, with the same start and end.
 * Returns that end, or undefined when the old session has ended or was already replaced (system
 * role).
 */
export async function replaceSession(
  tx: Tx,
  sessionId: number,
  next: NextSession,
): Promise<Date | undefined> {
  const { workspaceId, userId, idHash, now, oldEndsAt, address, userAgent } = next;
  const { rows } = await sql<Row<'replace-session'>>`
    with old as (select id, created_at, expires_at from sessions
      where id = ${sessionId} and user_id = ${userId} and expires_at > ${oldEndsAt} for update),
      ended as (update sessions s set expires_at = ${oldEndsAt} from old where s.id = old.id)
    insert into sessions (id_hash, user_id, workspace_id, created_at, last_seen_at, expires_at,
      address, user_agent)
    select ${idHash}::bytea, ${userId}::int, ${workspaceId}::int, created_at, ${now}::timestamptz,
      expires_at, ${address}, ${userAgent} from old
    returning expires_at as "expiresAt"`.execute(tx);
  return rows[0]?.expiresAt;
}

/** Whether a session was neither ended nor deleted after its end (system role). */
export async function hasSession(tx: Tx, userId: number, sessionId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteSessionByHash(db: Db | Tx, idHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('id_hash', '=', idHash).execute();
}

/** Deletes a person's expired sessions, so that none is kept forever. */
export async function deleteEndedSessions(
  tx: Tx,
  userId: number,
  now: Date,
  idleSince: Date,
): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where((where) =>
      where.or([where('expires_at', '<=', now), where('last_seen_at', '<=', idleSince)]),
    )
    .execute();
}

export async function updateLastSeen(
  db: Db,
  sessionId: number,
  now: Date,
  unlessAfter: Date,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now })
    .where('id', '=', sessionId)
    .where('last_seen_at', '<=', unlessAfter)
    .execute();
}

export interface SessionRow {
  id: number;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
  address: string | null;
  userAgent: string | null;
}

/** All sessions of a person, in every workspace (system role). */
export function listSessions(db: Db, userId: number): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .select([
      'id',
      'created_at as createdAt',
      'last_seen_at as lastSeenAt',
      'expires_at as expiresAt',
      'address',
      'user_agent as userAgent',
    ])
    .where('user_id', '=', userId)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(500)
    .execute();
}

/** False when the person has no such session that lasts beyond `endsAfter` (system role). */
export async function deleteSession(
  tx: Tx,
  userId: number,
  sessionId: number,
  endsAfter: Date,
): Promise<boolean> {
  const result = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .where('expires_at', '>', endsAfter)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Ends all sessions of a person but one, in every workspace (system role). */
export async function deleteOtherSessions(
  tx: Tx,
  userId: number,
  keptSessionId: number | null,
): Promise<number> {
  const result = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(keptSessionId !== null, (query) => query.where('id', '<>', keptSessionId))
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
