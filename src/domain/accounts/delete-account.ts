import { listHomes, lockHomes, markUserDeleted, type Home } from '../../db/queries/account-deletions.ts';
import { deleteOtherSessions } from '../../db/queries/sessions.ts';
import { findUserById } from '../../db/queries/users.ts';
import type { Tx } from '../../db/database.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { stopPaying } from '../billing/pay.ts';
import { endOfGrace } from '../billing/states.ts';
import { inSystem, type Ctx } from '../context.ts';
import { AppError, invalid } from '../errors.ts';
import { markDeleted } from '../workspaces/delete-workspace.ts';
import { verifyPassword } from './limited-hashing.ts';

/**
 * Deletes the account of who asks: no session or token of it is taken from the next request on, and workspaces that nobody else is
 * in are deleted with it. Until the days of grace are over, signing in takes it all back. Answers when it is gone for good. Throws
 * unauthenticated for a wrong password, invalid_request for the last owner of a workspace with others in it, PaymentError.
 */
export async function deleteAccount(ctx: Ctx, password: string): Promise<Date> {
  const { userId } = ctx.actor;
  const user = await findUserById(ctx.systemDb, userId);
  const matches = await verifyPassword(user?.passwordHash ?? null, password);
  if (!user || !matches) throw new AppError('unauthenticated', 'The password is wrong.');
  const deleteAt = endOfGrace(ctx.clock.now());
  const homes = await listHomes(ctx.systemDb, userId);
  requireSuccessors(homes);
  // Workspaces first: killed in between, they are marked for all to see, and the account is still there to take them back.
  for (const { workspaceId } of homes.filter(isLeft)) {
    const home = { ...ctx, workspaceId };
    await stopPaying(home);
    await inSystem(ctx, (tx) => markDeleted(tx, home, deleteAt));
  }
  await inSystem(ctx, (tx) => markAccount(tx, ctx, deleteAt));
  ctx.log.info({ user: userId }, 'an account was deleted by its owner');
  return deleteAt;
}

async function markAccount(tx: Tx, ctx: Ctx, deleteAt: Date): Promise<void> {
  const { userId, email } = ctx.actor;
  await lockHomes(tx, userId);
  const homes = await listHomes(tx, userId);
  requireSuccessors(homes);
  if (!(await markUserDeleted(tx, userId, deleteAt))) return;
  await deleteOtherSessions(tx, userId, null);
  for (const { workspaceId } of homes)
    await writeAudit(tx, { ...ctx, workspaceId }, { action: 'account.deleted', subject: email, detail: { purgeAt: deleteAt.toISOString() } });
}

const isLeft = ({ others, deleteAt }: Home): boolean => others === 0 && deleteAt === null;

function requireSuccessors(homes: readonly Home[]): void {
  const orphan = homes.find(({ role, others, otherOwners, deleteAt }) => role === 'owner' && others > 0 && otherOwners === 0 && deleteAt === null);
  if (!orphan) return;
  const rule = `the last owner of “${orphan.name}”, which has other members, stays: make somebody else an owner, or delete the workspace first`;
  throw invalid('account', rule, orphan.workspaceId);
}
