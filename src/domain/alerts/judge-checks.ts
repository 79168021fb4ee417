import {
  deleteUnjudgedChecks,
  listMarketWorkspaces,
  takeUnjudgedChecks,
} from '../../db/queries/alerts.ts';
import { utcDayOf } from '../../lib/dates.ts';
import { inSystem, type Services } from '../context.ts';
import { emitEvents, type NewEvent } from '../events/emit.ts';
import { judgeKeywords, readAlertKeywords } from './judge-keywords.ts';
import { readRules } from './read-rules.ts';
import { toEvents } from './tell-alerts.ts';

const marketsAtOnce = 200;

/**
 * Turns checks that nobody judged yet into events: of every workspace that follows the markets, by its own rules. What was
 * judged is forgotten in the transaction that writes the events, so whatever is killed, each check is judged and told once.
 * Returns how many market-days it was.
 */
export function judgeChecks(services: Services): Promise<number> {
  return inSystem(services, async (tx) => {
    const taken = await takeUnjudgedChecks(tx, {
      today: utcDayOf(services.clock.now()),
      limit: marketsAtOnce,
    });
    if (!taken) return 0;
    const events: NewEvent[] = [];
    for (const workspaceId of await listMarketWorkspaces(tx, taken.marketIds)) {
      const rules = await readRules(tx, workspaceId);
      const keywords = await readAlertKeywords(tx, workspaceId, taken.marketIds);
      const alerts = await judgeKeywords(tx, workspaceId, {
        keywords,
        rules,
        from: taken.date,
        to: taken.date,
      });
      events.push(...(await toEvents(tx, services, workspaceId, alerts)));
    }
    await emitEvents(tx, services, events);
    await deleteUnjudgedChecks(tx, taken);
    return taken.marketIds.length;
  });
}
