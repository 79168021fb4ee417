import type { EventObject } from '../../contract/events.ts';
import { findOpenRun } from '../../db/queries/runs.ts';
import {
  findDueDelivery,
  listGathered,
  lockWebhook,
  mergeDeliveries,
  postponeDelivery,
  type DueDelivery,
} from '../../db/queries/due-deliveries.ts';
import { parseExact } from '../../lib/json.ts';
import { inSystem, type Services } from '../context.ts';
import { writeBody } from './formats/index.ts';
import { gatherMs } from './plan-deliveries.ts';

/** However long a run takes, nobody waits longer for the first of its events. */
const patienceMs = 6 * 3_600_000;
const gatheredMax = 1_000;

/**
 * A chat is told of the keyword events of a run in one message. While the run is open its first delivery waits; then it
 * takes in all the others. Null: not now, or told with another one.
 */
export function gatherRun(services: Services, due: DueDelivery): Promise<DueDelivery | undefined> {
  return inSystem(services, async (tx) => {
    const now = services.clock.now();
    // Two of the same webhook at once would each take the other in.
    await lockWebhook(tx, due.workspaceId, due.webhookId);
    const current = await findDueDelivery(tx, due.id, now);
    if (!current) return undefined;
    const run = await findOpenRun(tx);
    if (run && now.getTime() - current.createdAt.getTime() < patienceMs) {
      await postponeDelivery(tx, current, new Date(now.getTime() + gatherMs));
      return undefined;
    }
    const gathered = await listGathered(tx, current, gatheredMax);
    if (gathered.length <= 1) return current;
    const body = writeBody(
      current,
      gathered.map((row) => parseExact(row.body) as EventObject),
    );
    await mergeDeliveries(tx, current, { ids: gathered.map((row) => row.id), body });
    return { ...current, body };
  });
}
