import { findSessionOwner, updateLastSeen } from '../../db/queries/sessions.ts';
import { findTokenOwner, updateTokenUse } from '../../db/queries/tokens.ts';
import type { RecentLookups } from '../../lib/recent-lookups.ts';
import { stateOf, type WorkspaceState } from '../billing/states.ts';
import type { Ctx, Services } from '../context.ts';
import { hashTokenSecret } from '../tokens/secret.ts';
import { idleMs } from './open-session.ts';

export interface Identity extends Pick<Ctx, 'workspaceId' | 'workspaceState' | 'actor'> {
  plan: string | null;
  /** When the credential ends by itself, if it is not used until then; null: never. */
  expiresAt: Date | null;
}

const minute = 60_000;
const rememberedMax = 10_000;

/** Who a session's hash belongs to; null when it has ended. One statement, or none when it was asked a moment ago. */
export async function identifySession(
  services: Services,
  idHash: Buffer,
  recent: RecentLookups,
): Promise<Identity | null> {
  const row = await recent.find(`s${idHash.toString('base64')}`, () =>
    findSessionOwner(services.systemDb, idHash),
  );
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

/** Who a token belongs to; null when it is unknown, revoked or ended, or its workspace is suspended. One statement, or none. */
export async function identifyToken(
  services: Services,
  secret: string,
  address: string,
  recent: RecentLookups,
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
  row: { state: WorkspaceState; trialEndsAt: Date | null },
): WorkspaceState {
  return stateOf(row, clock.now(), settings.billingEnabled);
}

/** By a grant on the command line, or by OPERATOR_EMAILS: else whoever signs up with such an address first would be one. */
function isOperator(
  { settings }: Services,
  row: { email: string; operator: boolean; emailConfirmed: boolean },
): boolean {
  if (row.operator) return true;
  return (
    row.emailConfirmed && settings.operatorEmails.some((email) => email.toLowerCase() === row.email)
  );
}

// Ten thousand requests in a minute read the same old row; one of them writes.
const written = new WeakMap<object, Map<string, number>>();

function isFirstThisMinute(services: Services, key: string, now: Date): boolean {
  let times = written.get(services.systemDb);
  if (!times) written.set(services.systemDb, (times = new Map()));
  const last = times.get(key);
  if (last !== undefined && Math.abs(now.getTime() - last) < minute) return false;
  if (times.size >= rememberedMax) times.clear();
  times.set(key, now.getTime());
  return true;
}

function inBackground(services: Services, work: Promise<void>): void {
  work.catch((error: unknown) =>
    services.log.warn({ error: (error as Error).message }, 'the time of last use was not written'),
  );
}
