import { listHomes, unmarkUserDeleted } from '#db/queries/auth/account-deletions.ts';
import { findUserById, type UserRow } from '#db/queries/auth/users.ts';
import { writeAuditOf } from '#domain/base/audit/write-audit.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { unmarkDeleted } from '../workspaces/restore-workspace.ts';

/**
 * Restores a deleted account with the workspaces that were deleted with it, for a caller who has
 * just proved ownership. False after the grace period. After a crash, the next sign-in continues.
 */
export async function restoreAccount(
  services: Services,
  { id, email, deleteAt }: UserRow,
): Promise<boolean> {
  const now = services.clock.now();
  if (deleteAt === null || deleteAt <= now) return deleteAt === null;
  const homes = await listHomes(services.systemDb, id);
  const by = { actor: email, credential: 'session' };
  for (const { workspaceId, ...home } of homes) {
    if (home.deleteAt?.getTime() !== deleteAt.getTime()) continue;
    await inSystem(services, (tx) => unmarkDeleted(tx, services, { workspaceId, ...by }));
  }
  return inSystem(services, async (tx) => {
    // Another sign-in may have restored it since it was read.
    if (!(await unmarkUserDeleted(tx, id, now)))
      return (await findUserById(tx, id))?.deleteAt === null;
    for (const { workspaceId } of homes)
      await writeAuditOf(
        tx,
        { workspaceId, clock: services.clock },
        { action: 'account.restored', subject: email, ...by },
      );
    return true;
  });
}
