import { deleteDueUser, listUsersToPurge, lockHomes } from '#db/queries/auth/account-deletions.ts';
import { redactAuditNames } from '#db/queries/audit/audit.ts';
import { listWorkspacesToPurge } from '#db/queries/workspaces/workspaces.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { limitClock } from '#domain/base/plausible-clock.ts';
import { purgeWorkspace } from '../workspaces/purge-workspace.ts';

const atOnce = 20;

/** The last ids that were tried. */
const lastTried = new WeakMap<Services, { workspaceId: number; userId: number }>();

/**
 * Deletes workspaces and accounts after their grace period, at most 20 of each; returns the number.
 * A failure is retried after all others that are due, so it does not block them.
 */
export async function purgeDeleted(services: Services): Promise<number> {
  const limited = { ...services, clock: await limitClock(services) };
  const { systemDb, clock } = limited;
  const now = clock.now();
  const last = lastTried.get(services) ?? { workspaceId: 0, userId: 0 };
  lastTried.set(services, last);
  let gone = 0;
  const workspaces = { after: last.workspaceId, limit: atOnce };
  for (const workspaceId of await listWorkspacesToPurge(systemDb, now, workspaces)) {
    last.workspaceId = workspaceId;
    if (await attempt(services, { workspaceId }, () => purgeWorkspace(limited, workspaceId)))
      gone += 1;
  }
  const users = { after: last.userId, limit: atOnce };
  for (const userId of await listUsersToPurge(systemDb, now, users)) {
    last.userId = userId;
    if (await attempt(services, { userId }, () => purgeAccount(limited, userId, now))) gone += 1;
  }
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
