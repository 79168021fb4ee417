import { deleteDueUser, listUsersToPurge, lockHomes } from '../../db/queries/account-deletions.ts';
import { forgetNames } from '../../db/queries/audit.ts';
import { listWorkspacesToPurge } from '../../db/queries/workspaces.ts';
import { inSystem, type Services } from '../context.ts';
import { purgeWorkspace } from '../workspaces/purge-workspace.ts';

const atOnce = 20;

/** Deletes for good the workspaces and accounts whose days of grace are over; says how many. What cannot go now is tried again, and holds up nobody. */
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
    if (email !== undefined) await forgetNames(tx, [email]);
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
    if (isGone) services.log.info(what, 'what was deleted is gone for good');
    return isGone;
  } catch (error) {
    services.log.warn(
      { ...what, error: (error as Error).message },
      'what was deleted could not be purged, and is tried again',
    );
    return false;
  }
}
