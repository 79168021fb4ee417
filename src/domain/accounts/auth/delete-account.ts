import {
  listHomes,
  lockHomes,
  markUserDeleted,
  type Home,
} from '#db/queries/auth/account-deletions.ts';
import { deleteOtherSessions } from '#db/queries/auth/sessions.ts';
import { findUserById, holdPassword, type UserRow } from '#db/queries/auth/users.ts';
import { deleteInvitesBy } from '#db/queries/members/invites.ts';
import type { Tx } from '#db/database.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { cancelSubscription } from '../billing/checkout.ts';
import { graceEndsAt } from '../billing/workspace-status.ts';
import { inSystem, type Ctx } from '#domain/base/context.ts';
import { AppError, invalid } from '#domain/base/errors.ts';
import { markDeleted } from '../workspaces/delete-workspace.ts';
import { verifyPassword } from './password-hashing.ts';

/** One more attempt for each member who joined or left in the meantime. */
const maxRounds = 5;

/**
 * Deletes the caller's account: its sessions and tokens end with the next request, its open
 * invitations are revoked, and workspaces without another member are deleted with it. Signing in
 * during the grace period restores it. Returns the time of the final deletion.
 * Throws unauthenticated for a wrong password, invalid_request for the last owner of a workspace
 * with other members, and PaymentError, after which nothing is deleted, though a subscription of
 * one of several workspaces may have ended.
 */
export async function deleteAccount(ctx: Ctx, password: string): Promise<Date> {
  const user = await findUserById(ctx.systemDb, ctx.actor.userId);
  const matches = await verifyPassword(user?.passwordHash ?? null, password);
  if (!user || !matches) throw wrong();
  const deleteAt = graceEndsAt(ctx.clock.now());
  for (let round = 0; round < maxRounds; round += 1) {
    await deleteSoleWorkspaces(ctx, user, deleteAt);
    if (!(await inSystem(ctx, (tx) => markAccountDeleted(tx, ctx, user, deleteAt)))) continue;
    ctx.log.info({ user: user.id }, 'an account was deleted by its owner');
    return deleteAt;
  }
  throw membershipConflict();
}

/**
 * Deletes workspaces first: after a crash in between they are marked as deleted, and the account
 * still exists to restore them.
 */
async function deleteSoleWorkspaces(ctx: Ctx, user: UserRow, deleteAt: Date): Promise<void> {
  const homes = await listHomes(ctx.systemDb, user.id);
  assertOtherOwnersRemain(homes);
  const left = homes.filter(isLeft).map(({ workspaceId }) => ({ ...ctx, workspaceId }));
  for (const home of left) await cancelSubscription(home);
  for (const home of left)
    await inSystem(ctx, (tx) =>
      markDeleted(tx, home, deleteAt, () => assertStillSoleMember(tx, home, user)),
    );
}

/** Somebody may have accepted an invitation in the meantime, or the owner changed the password. */
async function assertStillSoleMember(
  tx: Tx,
  { workspaceId }: Ctx,
  { id, passwordHash }: UserRow,
): Promise<void> {
  if (!(await holdPassword(tx, id, passwordHash))) throw wrong();
  const home = (await listHomes(tx, id)).filter((row) => row.workspaceId === workspaceId);
  assertOtherOwnersRemain(home);
  if (home.some(({ others }) => others > 0)) throw membershipConflict();
}

/**
 * False when the last other member of a workspace has just left: that workspace must be deleted
 * first.
 */
async function markAccountDeleted(
  tx: Tx,
  ctx: Ctx,
  { id, email, passwordHash }: UserRow,
  deleteAt: Date,
): Promise<boolean> {
  await lockHomes(tx, id);
  const homes = await listHomes(tx, id);
  assertOtherOwnersRemain(homes);
  if (homes.some(isLeft)) return false;
  if (!(await holdPassword(tx, id, passwordHash, 'update'))) throw wrong();
  if (!(await markUserDeleted(tx, id, deleteAt))) return true;
  await deleteOtherSessions(tx, id, null);
  for (const invite of await deleteInvitesBy(tx, null, id))
    await writeAudit(
      tx,
      { ...ctx, workspaceId: invite.workspaceId },
      { action: 'invite.revoked', subject: invite.email, detail: { inviteId: invite.id } },
    );
  for (const { workspaceId } of homes)
    await writeAudit(
      tx,
      { ...ctx, workspaceId },
      { action: 'account.deleted', subject: email, detail: { purgeAt: deleteAt.toISOString() } },
    );
  return true;
}

const wrong = () => new AppError('unauthenticated', 'The password is wrong.');

const membershipConflict = () =>
  new AppError('unavailable', 'Members are joining or leaving your workspaces right now.', {
    retryAfterSeconds: 2,
  });

const isLeft = ({ others, deleteAt }: Home): boolean => others === 0 && deleteAt === null;

function assertOtherOwnersRemain(homes: readonly Home[]): void {
  const orphan = homes.find(
    ({ role, others, otherOwners, deleteAt }) =>
      role === 'owner' && others > 0 && otherOwners === 0 && deleteAt === null,
  );
  if (!orphan) return;
  const rule =
    `the last owner of “${orphan.name}”, which has other members, cannot be deleted: make ` +
    'another member owner, or delete the workspace first';
  throw invalid('account', rule, orphan.workspaceId);
}
