import { deleteDueUser, listUsersToPurge, lockHomes } from '#db/queries/auth/account-deletions.ts';
import { redactAuditNames } from '#db/queries/audit/audit.ts';
import { listWorkspacesToPurge } from '#db/queries/workspaces/workspaces.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { purgeWorkspace } from '../workspaces/purge-workspace.ts';

const atOnce = 20;

/**
 * Deletes workspaces and accounts after their grace period; returns the number. A failure is
 * retried and does not block others.
 */
export async function purgeDeleted(services: Services): Promise<number> {
  const now = services.clock.now();
  let gone = 0;
  for (const workspaceId of await listWorkspacesToPurge(services.systemDb, now, atOnce))
    if (await attempt(services, { workspaceId }, () => purgeWorkspace(services, workspaceId)))
      gone += 1;
  for (const userId of await listUsersToPurge(services.systemDb, now, atOnce))
    if (await attempt(services, { userId }, () => purgeAccount(services, userId, now))) gone += 1;
  return gone;
}

function purgeAccount(services: Services, userId: number, now: Date): Promise<boolean> {
  return inSystem(services, async (tx) => {
    await lockHomes(tx, userId);
    const email = await deleteDueUser(tx, userId, now);
    if (email !== undefined) await redactAuditNames(tx, [email]);
    return email !== undefined;
  });
}

async function attempt(
  services: Services,
  what: object,
  purge: () => Promise<boolean>,
): Promise<boolean> {
  try {
    const isGone = await purge();
    if (isGone) services.log.info(what, 'purged a deleted workspace or account');
    return isGone;
  } catch (error) {
    services.log.warn({ ...what, error: (error as Error).message }, 'purge failed, will retry');
    return false;
  }
}
