import { listHomes, unmarkUserDeleted } from '../../db/queries/account-deletions.ts';
import type { UserRow } from '../../db/queries/users.ts';
import { writeAuditOf } from '../audit/write-audit.ts';
import { inSystem, type Services } from '../context.ts';
import { unmarkDeleted } from '../workspaces/restore-workspace.ts';

/**
 * Takes the deletion of an account back, with the workspaces that were deleted with it; for who has just proved to be its owner.
 * False when its days of grace are over. Killed in between, the next sign-in goes on.
 */
export async function takeAccountBack(
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
    if (!(await unmarkUserDeleted(tx, id, now))) return false;
    for (const { workspaceId } of homes)
      await writeAuditOf(
        tx,
        { workspaceId, clock: services.clock },
        { action: 'account.restored', subject: email, ...by },
      );
    return true;
  });
}
