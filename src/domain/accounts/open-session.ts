import type { Tx } from '../../db/database.ts';
import {
  deleteEndedSessions,
  deleteSessionByHash,
  insertSession,
} from '../../db/queries/sessions.ts';
import type { Services } from '../context.ts';
import { createSessionId } from './session-id.ts';

const day = 86_400_000;
export const idleMs = 7 * day;
export const absoluteMs = 30 * day;
/** For so long the cookie of before is good for what was under way: refused, it would take the browser's new cookie with it. */
export const handOverMs = 5_000;

/** How a browser came: where from, with what, and which session it had before. */
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

/** A new id at every sign-in; the one the browser had before ends. */
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
