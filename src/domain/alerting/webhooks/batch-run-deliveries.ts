import type { EventObject } from '#contract/events.ts';
import { findOpenRun } from '#db/queries/runs/runs.ts';
import {
  findDueDelivery,
  listBatchedDeliveries,
  lockWebhook,
  mergeDeliveries,
  rescheduleBatch,
  type DueDelivery,
} from '#db/queries/webhooks/due-deliveries.ts';
import { parseExact } from '#lib/json.ts';
import { utcDayOf } from '#lib/dates.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { writeBody } from '../formats/index.ts';
import { batchWindowMs } from '../events/plan-deliveries.ts';

/** The longest delay of a run's first event. */
const deadlineMs = 6 * 3_600_000;
const batchSizeMax = 1_000;

/**
 * Batches a run's keyword events for a chat into one message. While the run is open they wait
 * together, and then the first delivery includes all others. Null: not now, or sent with another
 * delivery.
 */
export function batchRunDeliveries(
  services: Services,
  due: DueDelivery,
): Promise<DueDelivery | undefined> {
  return inSystem(services, async (tx) => {
    const now = services.clock.now();
    // Two concurrent calls for a webhook would each batch the other's delivery.
    await lockWebhook(tx, due.workspaceId, due.webhookId);
    const current = await findDueDelivery(tx, due.id, now);
    if (!current) return undefined;
    const run = await findOpenRun(tx, utcDayOf(now));
    if (run && now.getTime() - current.createdAt.getTime() < deadlineMs) {
      const nextAt = new Date(now.getTime() + batchWindowMs);
      await rescheduleBatch(tx, current, { nextAt, limit: batchSizeMax });
      return undefined;
    }
    const batched = await listBatchedDeliveries(tx, current, batchSizeMax);
    if (batched.length <= 1) return current;
    const body = writeBody(
      current,
      batched.map((row) => parseExact(row.body) as EventObject),
    );
    await mergeDeliveries(tx, current, { ids: batched.map((row) => row.id), body });
    return { ...current, body };
  });
}
