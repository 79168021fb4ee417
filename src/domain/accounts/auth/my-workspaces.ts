import {
  holdWorkspaceOf,
  listWorkspacesOf,
  type MyWorkspaceRow,
} from '#db/queries/auth/my-workspaces.ts';
import { holdUser } from '#db/queries/auth/users.ts';
import { deleteEndedSessions, replaceSession } from '#db/queries/auth/sessions.ts';
import { inSystem, type Ctx } from '#domain/base/context.ts';
import { AppError, notFound } from '#domain/base/errors.ts';
import { sessionOverlapMs, idleMs, type OpenedSession, type Visitor } from './open-session.ts';
import { createSessionId } from './session-id.ts';

export type { MyWorkspaceRow };

export function listMyWorkspaces(ctx: Ctx): Promise<MyWorkspaceRow[]> {
  return listWorkspacesOf(ctx.systemDb, ctx.actor.userId);
}

/**
 * Switches to another of the user's workspaces with a new session: caches of the old cookie do not
 * affect it, so the switch takes effect everywhere at once. There is no new session when it is the
 * current workspace. Throws not_found for a workspace without membership, and unauthenticated for a
 * session that ended in the meantime.
 */
export function switchWorkspace(
  ctx: Ctx,
  workspaceId: number,
  visitor: Visitor,
): Promise<{ workspace: MyWorkspaceRow; session: OpenedSession | null }> {
  const { actor } = ctx;
  return inSystem(ctx, async (tx) => {
    // A new password and the end of all other sessions wait for the new session, and end it too.
    await holdUser(tx, actor.userId);
    const workspace = await holdWorkspaceOf(tx, actor.userId, workspaceId);
    if (!workspace || actor.kind !== 'session') throw notFound();
    if (workspaceId === ctx.workspaceId) return { workspace, session: null };
    const now = ctx.clock.now();
    const { hash, cookie } = createSessionId(visitor.authSecret);
    const expiresAt = await replaceSession(tx, actor.sessionId, {
      workspaceId,
      userId: actor.userId,
      idHash: hash,
      now,
      oldEndsAt: new Date(now.getTime() + sessionOverlapMs),
      address: visitor.address,
      userAgent: visitor.userAgent?.slice(0, 300) ?? null,
    });
    if (!expiresAt) throw new AppError('unauthenticated');
    await deleteEndedSessions(tx, actor.userId, now, new Date(now.getTime() - idleMs));
    return { workspace, session: { cookie, expiresAt } };
  });
}
