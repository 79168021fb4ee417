import {
  listHomes,
  lockHomes,
  markUserDeleted,
  type Home,
} from '../../db/queries/account-deletions.ts';
import { deleteOtherSessions } from '../../db/queries/sessions.ts';
import { findUserById, holdPassword, type UserRow } from '../../db/queries/users.ts';
import type { Tx } from '../../db/database.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { stopPaying } from '../billing/pay.ts';
import { endOfGrace } from '../billing/states.ts';
import { inSystem, type Ctx } from '../context.ts';
import { AppError, invalid } from '../errors.ts';
import { markDeleted } from '../workspaces/delete-workspace.ts';
import { verifyPassword } from './limited-hashing.ts';

/** Once more for each time that somebody came or went meanwhile. */
const roundsMax = 5;

/**
 * Deletes the account of who asks: no session or token of it is taken from the next request on, and workspaces that nobody else is
 * in are deleted with it. Until the days of grace are over, signing in takes it all back. Answers when it is gone for good. Throws
 * unauthenticated for a wrong password, invalid_request for the last owner of a workspace with others in it, PaymentError; after
 * that one nothing is deleted, though what was paid for a workspace of several may have ended.
 */
export async function deleteAccount(ctx: Ctx, password: string): Promise<Date> {
  const user = await findUserById(ctx.systemDb, ctx.actor.userId);
  const matches = await verifyPassword(user?.passwordHash ?? null, password);
  if (!user || !matches) throw wrong();
  const deleteAt = endOfGrace(ctx.clock.now());
  for (let round = 0; round < roundsMax; round += 1) {
    await deleteLeft(ctx, user, deleteAt);
    if (!(await inSystem(ctx, (tx) => markAccount(tx, ctx, user, deleteAt)))) continue;
    ctx.log.info({ user: user.id }, 'an account was deleted by its owner');
    return deleteAt;
  }
  throw peopleMove();
}

/** Workspaces before the account: killed in between, they are marked for all to see, and the account is still there to take them back. */
async function deleteLeft(ctx: Ctx, user: UserRow, deleteAt: Date): Promise<void> {
  const homes = await listHomes(ctx.systemDb, user.id);
  requireSuccessors(homes);
  const left = homes.filter(isLeft).map(({ workspaceId }) => ({ ...ctx, workspaceId }));
  for (const home of left) await stopPaying(home);
  for (const home of left)
    await inSystem(ctx, (tx) =>
      markDeleted(tx, home, deleteAt, () => requireStillLeft(tx, home, user)),
    );
}

/** Somebody may have accepted an invitation in the meantime, or the owner have set a new password. */
async function requireStillLeft(
  tx: Tx,
  { workspaceId }: Ctx,
  { id, passwordHash }: UserRow,
): Promise<void> {
  if (!(await holdPassword(tx, id, passwordHash))) throw wrong();
  const home = (await listHomes(tx, id)).filter((row) => row.workspaceId === workspaceId);
  requireSuccessors(home);
  if (home.some(({ others }) => others > 0)) throw peopleMove();
}

/** False when the last of the others has left a workspace a moment ago: that one goes too, and first. */
async function markAccount(
  tx: Tx,
  ctx: Ctx,
  { id, email, passwordHash }: UserRow,
  deleteAt: Date,
): Promise<boolean> {
  await lockHomes(tx, id);
  const homes = await listHomes(tx, id);
  requireSuccessors(homes);
  if (homes.some(isLeft)) return false;
  if (!(await holdPassword(tx, id, passwordHash, 'update'))) throw wrong();
  if (!(await markUserDeleted(tx, id, deleteAt))) return true;
  await deleteOtherSessions(tx, id, null);
  for (const { workspaceId } of homes)
    await writeAudit(
      tx,
      { ...ctx, workspaceId },
      { action: 'account.deleted', subject: email, detail: { purgeAt: deleteAt.toISOString() } },
    );
  return true;
}

const wrong = () => new AppError('unauthenticated', 'The password is wrong.');

const peopleMove = () =>
  new AppError('unavailable', 'People join or leave your workspaces right now.', {
    retryAfterSeconds: 2,
  });

const isLeft = ({ others, deleteAt }: Home): boolean => others === 0 && deleteAt === null;

function requireSuccessors(homes: readonly Home[]): void {
  const orphan = homes.find(
    ({ role, others, otherOwners, deleteAt }) =>
      role === 'owner' && others > 0 && otherOwners === 0 && deleteAt === null,
  );
  if (!orphan) return;
  const rule = `the last owner of “${orphan.name}”, which has other members, stays: make somebody else an owner, or delete the workspace first`;
  throw invalid('account', rule, orphan.workspaceId);
}
