import { lockAppToPurge } from '#db/queries/apps/apps.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { purgeApp } from './delete-app.ts';

/**
 * Deletes an archived app of any workspace after 30 days; returns the number, 0 when none is due.
 * Its demand ended with archiving. Each app has its own transaction, because it locks markets
 * before listings.
 */
export async function purgeDueApp(services: Pick<Services, 'systemDb' | 'clock'>): Promise<number> {
  return inSystem(services, async (tx) => {
    const due = await lockAppToPurge(tx, services.clock.now());
    if (due === undefined) return 0;
    await purgeApp(tx, { workspaceId: due.workspaceId }, due.id);
    return 1;
  });
}
