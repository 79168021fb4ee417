import {
  deletePendingEvaluations,
  listMarketWorkspaces,
  takePendingEvaluations,
} from '#db/queries/alerts/alerts.ts';
import { utcDayOf } from '#lib/dates.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { emitEvents, type NewEvent } from '../events/emit-events.ts';
import { evaluateKeywordAlerts, readAlertKeywords } from './evaluate-keyword-alerts.ts';
import { readRules } from './read-rules.ts';
import { toEvents } from './to-events.ts';

const marketBatchSize = 200;

/**
 * Turns unevaluated checks into events of every workspace that tracks the markets, by its own
 * rules. The pending evaluation is deleted in the transaction that writes the events, so each check
 * is evaluated exactly once. Returns the number of market-days.
 */
export function evaluateRankAlerts(services: Services): Promise<number> {
  return inSystem(services, async (tx) => {
    const taken = await takePendingEvaluations(tx, {
      today: utcDayOf(services.clock.now()),
      limit: marketBatchSize,
    });
    if (!taken) return 0;
    const events: NewEvent[] = [];
    for (const workspaceId of await listMarketWorkspaces(tx, taken.marketIds)) {
      const rules = await readRules(tx, workspaceId);
      const keywords = await readAlertKeywords(tx, workspaceId, taken.marketIds);
      const alerts = await evaluateKeywordAlerts(tx, workspaceId, {
        keywords,
        rules,
        from: taken.date,
        to: taken.date,
      });
      events.push(...(await toEvents(tx, services, workspaceId, alerts)));
    }
    await emitEvents(tx, services, events);
    await deletePendingEvaluations(tx, taken);
    return taken.marketIds.length;
  });
}
