import {
  deleteOtherSessions,
  deleteSession,
  deleteSessionByHash,
  listSessions,
  type SessionRow,
} from '#db/queries/auth/sessions.ts';
import { findUserById, lockUser } from '#db/queries/auth/users.ts';
import { findWorkspace, type WorkspaceRow } from '#db/queries/workspaces/workspaces.ts';
import { writeAuditOfAccount, writtenBy } from '#domain/base/audit/write-audit.ts';
import { inSystem, inTenant, type Ctx, type Services } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { sessionOverlapMs, idleMs } from './open-session.ts';

export interface Whoami {
  user: { id: number; email: string; name: string | null };
  workspace: WorkspaceRow;
  operator: boolean;
  emailConfirmedAt: Date | null;
  /** A confirmation link was mailed, or can be. */
  confirmationPending: boolean;
}

export async function getWhoami(ctx: Ctx): Promise<Whoami> {
  const user = await findUserById(ctx.systemDb, ctx.actor.userId);
  const workspace = await inTenant(ctx, (tx) => findWorkspace(tx, ctx.workspaceId));
  if (!user || !workspace) throw notFound();
  const { id, email, name, emailConfirmedAt } = user;
  const confirmationPending = emailConfirmedAt === null && ctx.mailer !== null;
  return {
    user: { id, email, name },
    workspace,
    operator: ctx.actor.operator,
    emailConfirmedAt,
    confirmationPending,
  };
}

/** The instant at which a session expires unless it is used. */
export function sessionExpiresAt(row: Pick<SessionRow, 'lastSeenAt' | 'expiresAt'>): Date {
  return new Date(Math.min(row.expiresAt.getTime(), row.lastSeenAt.getTime() + idleMs));
}

/** The sessions of all workspaces, without replaced ones. */
export async function listMySessions(ctx: Ctx): Promise<SessionRow[]> {
  const rows = await listSessions(ctx.systemDb, ctx.actor.userId);
  const now = ctx.clock.now().getTime();
  return rows.filter((row) => sessionExpiresAt(row).getTime() > now + sessionOverlapMs);
}

/**
 * Revokes a session in any workspace. Throws not_found, also for one that was replaced: the list
 * has its successor, which would go on.
 */
export async function revokeSession(ctx: Ctx, sessionId: number): Promise<void> {
  await inSystem(ctx, async (tx) => {
    await lockUser(tx, ctx.actor.userId);
    const replacedUntil = new Date(ctx.clock.now().getTime() + sessionOverlapMs);
    if (!(await deleteSession(tx, ctx.actor.userId, sessionId, replacedUntil))) throw notFound();
    await writeAuditOfAccount(tx, ctx, ctx.actor.userId, {
      action: 'sessions.ended',
      subject: `session ${sessionId}`,
      ...writtenBy(ctx.actor),
    });
  });
}

/** Revokes the other sessions in all workspaces and returns their number. */
export function revokeOtherSessions(ctx: Ctx): Promise<number> {
  const { actor } = ctx;
  return inSystem(ctx, async (tx) => {
    // Otherwise the session of a workspace switch that is under way would survive.
    await lockUser(tx, actor.userId);
    const count = await deleteOtherSessions(
      tx,
      actor.userId,
      actor.kind === 'session' ? actor.sessionId : null,
    );
    const entry = {
      action: 'sessions.ended',
      subject: actor.email,
      detail: { count },
      ...writtenBy(actor),
    } as const;
    if (count > 0) await writeAuditOfAccount(tx, ctx, actor.userId, entry);
    return count;
  });
}

export function signOut(services: Pick<Services, 'systemDb'>, idHash: Buffer): Promise<void> {
  return deleteSessionByHash(services.systemDb, idHash);
}
