import {
  deleteOtherSessions,
  deleteSession,
  deleteSessionByHash,
  listSessions,
  type SessionRow,
} from '../../db/queries/sessions.ts';
import { findUserById } from '../../db/queries/users.ts';
import { findWorkspace, type WorkspaceRow } from '../../db/queries/workspaces.ts';
import { writeAuditOfAccount, writtenBy } from '../audit/write-audit.ts';
import { inSystem, inTenant, type Ctx, type Services } from '../context.ts';
import { notFound } from '../errors.ts';
import { handOverMs, idleMs } from './open-session.ts';

export interface Whoami {
  user: { id: number; email: string; name: string | null };
  workspace: WorkspaceRow;
  operator: boolean;
  emailConfirmedAt: Date | null;
  /** A link to confirm the address was mailed, or can be. */
  awaitsConfirmation: boolean;
}

export async function getWhoami(ctx: Ctx): Promise<Whoami> {
  const user = await findUserById(ctx.systemDb, ctx.actor.userId);
  const workspace = await inTenant(ctx, (tx) => findWorkspace(tx, ctx.workspaceId));
  if (!user || !workspace) throw notFound();
  const { id, email, name, emailConfirmedAt } = user;
  const awaitsConfirmation = emailConfirmedAt === null && ctx.mailer !== null;
  return {
    user: { id, email, name },
    workspace,
    operator: ctx.actor.operator,
    emailConfirmedAt,
    awaitsConfirmation,
  };
}

/** When a session ends if it is not used again. */
export function endOfSession(row: Pick<SessionRow, 'lastSeenAt' | 'expiresAt'>): Date {
  return new Date(Math.min(row.expiresAt.getTime(), row.lastSeenAt.getTime() + idleMs));
}

/** Whatever workspace they are for; one that has handed over to another is none any more. */
export async function listMySessions(ctx: Ctx): Promise<SessionRow[]> {
  const rows = await listSessions(ctx.systemDb, ctx.actor.userId);
  const now = ctx.clock.now().getTime();
  return rows.filter((row) => endOfSession(row).getTime() > now + handOverMs);
}

/** In whatever workspace it is. */
export async function endMySession(ctx: Ctx, sessionId: number): Promise<void> {
  await inSystem(ctx, async (tx) => {
    if (!(await deleteSession(tx, ctx.actor.userId, sessionId))) throw notFound();
    await writeAuditOfAccount(tx, ctx, ctx.actor.userId, {
      action: 'sessions.ended',
      subject: `session ${sessionId}`,
      ...writtenBy(ctx.actor),
    });
  });
}

/** In whatever workspace they are; says how many. */
export function endOtherSessions(ctx: Ctx): Promise<number> {
  const { actor } = ctx;
  return inSystem(ctx, async (tx) => {
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
