import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { findSessionOwner, updateLastSeen, type SessionOwner } from '#db/queries/auth/sessions.ts';
import { findTokenOwner, updateTokenUse } from '#db/queries/tokens/tokens.ts';
import type { TtlCache } from '#lib/ttl-cache.ts';
import { stateOf, type WorkspaceState } from '../billing/workspace-status.ts';
import type { Ctx, Services } from '#domain/base/context.ts';
import { hashTokenSecret } from '../tokens/token-secret.ts';
import { idleMs } from './open-session.ts';
import { readSessionCookie } from './session-id.ts';

export interface Identity extends Pick<Ctx, 'workspaceId' | 'workspaceState' | 'actor'> {
  plan: string | null;
  /** The instant at which the credential expires unless it is used; null: never. */
  expiresAt: Date | null;
}

const minute = 60_000;
const maxEntries = 10_000;

/**
 * The owner of the session in a cookie; null without our signature and when it has ended. Takes one
 * statement, or none when cached: a cached cookie had the signature.
 */
export async function authenticateSession(
  services: Services,
  { cookie, authSecret }: { cookie: string; authSecret: string },
  recent: TtlCache,
): Promise<Identity | null> {
  const key = `s${hash('sha256', cookie, 'base64')}`;
  const known = recent.get<SessionOwner>(key);
  const idHash = known ? null : readSessionCookie(authSecret, cookie);
  if (!known && idHash === null) return null;
  const row = await (known ?? recent.find(key, () => findSessionOwner(services.systemDb, idHash!)));
  const now = services.clock.now();
  if (!row || row.expiresAt <= now || row.lastSeenAt.getTime() + idleMs <= now.getTime())
    return null;
  const unlessAfter = new Date(now.getTime() - minute);
  if (row.lastSeenAt <= unlessAfter && isFirstThisMinute(services, `s${row.sessionId}`, now)) {
    inBackground(services, updateLastSeen(services.systemDb, row.sessionId, now, unlessAfter));
  }
  const { userId, sessionId, role, email, workspaceId, plan } = row;
  const expiresAt = new Date(Math.min(row.expiresAt.getTime(), now.getTime() + idleMs));
  const operator = isOperator(services, row);
  return {
    workspaceId,
    plan,
    workspaceState: stateAsOf(services, row),
    expiresAt,
    actor: { kind: 'session', userId, sessionId, role, email, operator },
  };
}

/**
 * The owner of a token; null when it is unknown, revoked or expired, or its workspace is suspended.
 * Takes one statement, or none when cached.
 */
export async function authenticateToken(
  services: Services,
  secret: string,
  address: string,
  recent: TtlCache,
): Promise<Identity | null> {
  const hash = hashTokenSecret(secret);
  const row = await recent.find(`t${hash.toString('base64')}`, () =>
    findTokenOwner(services.systemDb, hash),
  );
  const now = services.clock.now();
  if (!row || (row.expiresAt !== null && row.expiresAt <= now) || row.state === 'suspended')
    return null;
  const unlessAfter = new Date(now.getTime() - minute);
  if (
    (row.lastUsedAt === null || row.lastUsedAt <= unlessAfter) &&
    isFirstThisMinute(services, `t${row.tokenId}`, now)
  ) {
    inBackground(
      services,
      updateTokenUse(services.systemDb, { tokenId: row.tokenId, at: now, address, unlessAfter }),
    );
  }
  const { userId, tokenId, role, email, readOnly, workspaceId, plan } = row;
  return {
    workspaceId,
    plan,
    workspaceState: stateAsOf(services, row),
    expiresAt: row.expiresAt,
    actor: {
      kind: 'token',
      userId,
      tokenId,
      role,
      email,
      readOnly,
      operator: isOperator(services, row),
    },
  };
}

function stateAsOf(
  { settings, clock }: Services,
  row: { state: WorkspaceState; trialEndsAt: Date | null; plan: string | null },
): WorkspaceState {
  return stateOf(row, clock.now(), settings.billingEnabled);
}

/**
 * Granted on the command line, or by OPERATOR_EMAILS for a confirmed address. Otherwise anybody who
 * signs up with such an address would be an operator.
 */
function isOperator(
  { settings }: Services,
  row: { email: string; operator: boolean; emailConfirmed: boolean },
): boolean {
  if (row.operator) return true;
  return (
    row.emailConfirmed && settings.operatorEmails.some((email) => email.toLowerCase() === row.email)
  );
}

// Ten thousand requests in a minute may read the same old row; one of them writes.
const written = new WeakMap<object, LRUCache<string, number>>();

function isFirstThisMinute(services: Services, key: string, now: Date): boolean {
  let times = written.get(services.systemDb);
  if (!times) written.set(services.systemDb, (times = new LRUCache({ max: maxEntries })));
  const last = times.get(key);
  if (last !== undefined && Math.abs(now.getTime() - last) < minute) return false;
  times.set(key, now.getTime());
  return true;
}

function inBackground(services: Services, work: Promise<void>): void {
  work.catch((error: unknown) =>
    services.log.warn(
      { error: (error as Error).message },
      'the time of last use could not be written',
    ),
  );
}
