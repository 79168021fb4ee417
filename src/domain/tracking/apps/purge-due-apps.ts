import { listAppsToPurge } from '#db/queries/apps/apps.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { purgeApp } from './delete-app.ts';

const appsAtOnce = 20;

/**
 * Deletes archived apps of all workspaces after 30 days; returns the number. Their demand ended
 * with archiving.
 */
export async function purgeDueApps(
  services: Pick<Services, 'systemDb' | 'clock'>,
): Promise<number> {
  return inSystem(services, async (tx) => {
    const due = await listAppsToPurge(tx, services.clock.now(), appsAtOnce);
    for (const { workspaceId, id } of due) await purgeApp(tx, { workspaceId }, id);
    return due.length;
  });
}
