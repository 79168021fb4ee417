import {
  deleteFactsOfApp,
  deleteSomeKeywords,
  takeAppToPurge,
} from '#db/queries/apps/app-deletion.ts';
import { refreshMarketDemand } from '#db/queries/rankings/markets.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { purgeApp } from './delete-app.ts';

/**
 * Deletes some rows of an archived app of any workspace after 30 days, and at last the app; returns
 * their number, 0 when none is due. Its demand ended with archiving. Each call is a transaction of
 * its own, because it locks markets before listings, and a large app would lock them for minutes.
 */
export async function purgeDueApp(services: Pick<Services, 'systemDb' | 'clock'>): Promise<number> {
  return inSystem(services, async (tx) => {
    const due = await takeAppToPurge(tx, services.clock.now());
    if (due === undefined) return 0;
    const facts = await deleteFactsOfApp(tx, due.id);
    if (facts > 0) return facts;
    const marketIds = await deleteSomeKeywords(tx, due.id);
    await refreshMarketDemand(tx, marketIds);
    if (marketIds.length > 0) return marketIds.length;
    await purgeApp(tx, { workspaceId: due.workspaceId }, due.id);
    return 1;
  });
}
