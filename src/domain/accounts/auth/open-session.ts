import type { Tx } from '#db/database.ts';
import {
  deleteEndedSessions,
  deleteSessionByHash,
  insertSession,
} from '#db/queries/auth/sessions.ts';
import type { Services } from '#domain/base/context.ts';
import { createSessionId } from './session-id.ts';

const day = 86_400_000;
export const idleMs = 7 * day;
const absoluteMs = 30 * day;
/**
 * The previous cookie stays valid this long for requests in flight. Rejecting one would clear the
 * browser's new cookie too.
 */
export const sessionOverlapMs = 5_000;

/** The browser's address and user agent, and its previous session. */
export interface Visitor {
  authSecret: string;
  address: string;
  userAgent: string | null;
  presentedHash: Buffer | null;
}

export interface OpenedSession {
  cookie: string;
  expiresAt: Date;
}

/** A new id at every sign-in; the browser's previous session ends. */
export async function openSession(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  who: { userId: number; workspaceId: number },
  visitor: Visitor,
): Promise<OpenedSession> {
  const now = services.clock.now();
  const expiresAt = new Date(now.getTime() + absoluteMs);
  const { hash, cookie } = createSessionId(visitor.authSecret);
  if (visitor.presentedHash) await deleteSessionByHash(tx, visitor.presentedHash);
  await deleteEndedSessions(tx, who.userId, now, new Date(now.getTime() - idleMs));
  await insertSession(tx, {
    ...who,
    idHash: hash,
    createdAt: now,
    expiresAt,
    address: visitor.address,
    userAgent: visitor.userAgent?.slice(0, 300) ?? null,
  });
  return { cookie, expiresAt };
}
