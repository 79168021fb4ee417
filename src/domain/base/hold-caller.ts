import { hasSession } from '#db/queries/auth/sessions.ts';
import { holdUser } from '#db/queries/auth/users.ts';
import { hasLiveToken } from '#db/queries/tokens/tokens.ts';
import type { Tx } from '#db/database.ts';
import type { Ctx } from './context.ts';
import { AppError } from './errors.ts';

/**
 * For transactions of the system role that create access: whatever ends the caller's access later
 * waits for them, and finds what they created. Throws unauthenticated when the session or the token
 * has ended since the request was admitted.
 */
export async function holdCaller(tx: Tx, { actor }: Pick<Ctx, 'actor'>): Promise<void> {
  await holdUser(tx, actor.userId);
  const isThere =
    actor.kind === 'session'
      ? await hasSession(tx, actor.userId, actor.sessionId)
      : await hasLiveToken(tx, actor.userId, actor.tokenId);
  if (!isThere) throw new AppError('unauthenticated');
}
