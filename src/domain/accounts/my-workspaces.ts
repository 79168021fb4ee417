import {
  holdWorkspaceOf,
  listWorkspacesOf,
  type MyWorkspaceRow,
} from '../../db/queries/my-workspaces.ts';
import { deleteEndedSessions, handOverSession } from '../../db/queries/sessions.ts';
import { inSystem, type Ctx } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import { handOverMs, idleMs, type OpenedSession, type Visitor } from './open-session.ts';
import { createSessionId } from './session-id.ts';

export type { MyWorkspaceRow };

export function listMyWorkspaces(ctx: Ctx): Promise<MyWorkspaceRow[]> {
  return listWorkspacesOf(ctx.systemDb, ctx.actor.userId);
}

/**
 * Goes on in another workspace of the person, by a new session: what a process remembers of the old cookie says nothing of the new
 * one, so this holds at once and everywhere. No session where it is for that workspace already. Throws not_found for a workspace
 * that the person does not belong to, unauthenticated for a session that ended meanwhile.
 */
export function switchWorkspace(
  ctx: Ctx,
  workspaceId: number,
  visitor: Visitor,
): Promise<{ workspace: MyWorkspaceRow; session: OpenedSession | null }> {
  const { actor } = ctx;
  return inSystem(ctx, async (tx) => {
    const workspace = await holdWorkspaceOf(tx, actor.userId, workspaceId);
    if (!workspace || actor.kind !== 'session') throw notFound();
    if (workspaceId === ctx.workspaceId) return { workspace, session: null };
    const now = ctx.clock.now();
    const { hash, cookie } = createSessionId(visitor.authSecret);
    const expiresAt = await handOverSession(tx, actor.sessionId, {
      workspaceId,
      userId: actor.userId,
      idHash: hash,
      now,
      oldEndsAt: new Date(now.getTime() + handOverMs),
      address: visitor.address,
      userAgent: visitor.userAgent?.slice(0, 300) ?? null,
    });
    if (!expiresAt) throw new AppError('unauthenticated');
    await deleteEndedSessions(tx, actor.userId, now, new Date(now.getTime() - idleMs));
    return { workspace, session: { cookie, expiresAt } };
  });
}
