import type { Tx } from '#db/database.ts';
import {
  findDelivery,
  listRedeliverable,
  restartDeliveries,
} from '#db/queries/webhooks/deliveries.ts';
import { lockWebhook } from '#db/queries/webhooks/due-deliveries.ts';
import { findWebhook } from '#db/queries/webhooks/webhooks.ts';
import { inSystem, inTenant, type Ctx, type Services } from '#domain/base/context.ts';
import { invalid, notFound } from '#domain/base/errors.ts';
import { accept, assertQueueCapacity, type JobReference } from '#domain/base/jobs/accept-job.ts';
import type { BackgroundJobRow } from '#db/queries/jobs/background-jobs.ts';

export interface Accepted {
  job: JobReference;
  poll: string;
}

interface Payload {
  webhookId: number;
  ids: number[] | null;
  from: string;
  status: string;
  /** Later deliveries are not included. */
  until: string;
}

const batch = 500;

/**
 * Accepts one redelivery under the same id, from the beginning of the schedule. Throws
 * invalid_request for a test.
 */
export async function redeliverOne(ctx: Ctx, deliveryId: number): Promise<Accepted> {
  await assertQueueCapacity(ctx);
  return inTenant(ctx, async (tx) => {
    const row = await findDelivery(tx, ctx.workspaceId, deliveryId);
    if (!row) throw notFound();
    if (row.sequence === null)
      throw invalid('deliveryId', 'a delivery of an event: send a new test instead', deliveryId);
    return acceptRedelivery(tx, ctx, row.webhookId, {
      ids: [row.partOf ?? row.id],
      from: row.createdAt.toISOString(),
      status: row.state,
    });
  });
}

/** Accepts the redelivery of all deliveries of a webhook since an instant that ended in a state. */
export async function redeliverMany(
  ctx: Ctx,
  webhookId: number,
  { from, state }: { from: string; state: string },
): Promise<Accepted> {
  await assertQueueCapacity(ctx);
  return inTenant(ctx, (tx) =>
    acceptRedelivery(tx, ctx, webhookId, { ids: null, from, status: state }),
  );
}

async function acceptRedelivery(
  tx: Tx,
  ctx: Ctx,
  webhookId: number,
  what: Pick<Payload, 'ids' | 'from' | 'status'>,
): Promise<Accepted> {
  const webhook = await findWebhook(tx, ctx.workspaceId, webhookId);
  if (!webhook) throw notFound();
  if (!webhook.enabled) throw invalid('enabled', 'the webhook is disabled; enable it first');
  const payload: Payload = { webhookId, ...what, until: ctx.clock.now().toISOString() };
  const total = what.ids?.length ?? 1;
  const job = await accept(tx, ctx, {
    appId: null,
    kind: 'redeliver',
    dedupeKey: null,
    payload,
    total,
  });
  return { job, poll: `/jobs/${job.id}` };
}

/**
 * Restarts the deliveries in batches. After a crash it skips those that were already restarted. It
 * locks the webhook before its deliveries, like every other writer.
 */
export async function runRedelivery(
  services: Services,
  job: BackgroundJobRow,
  signal: AbortSignal,
): Promise<{ path: string }> {
  const { webhookId, ids, from, status, until } = job.payload as Payload;
  const of = { workspaceId: job.workspaceId, webhookId, jobId: job.id };
  if (ids !== null)
    await inSystem(services, async (tx) => {
      await lockWebhook(tx, job.workspaceId, webhookId);
      await restartDeliveries(tx, of, ids, services.clock.now());
    });
  // Disabling the webhook ends the job: nothing more is restarted.
  for (let restarted = ids === null ? 1 : 0; restarted > 0;) {
    signal.throwIfAborted();
    restarted = await inSystem(services, async (tx) => {
      await lockWebhook(tx, job.workspaceId, webhookId);
      const next = await listRedeliverable(tx, {
        ...of,
        status,
        from: new Date(from),
        until: new Date(until),
        limit: batch,
      });
      return restartDeliveries(tx, of, next, services.clock.now());
    });
  }
  services.wake();
  return { path: `/webhooks/${webhookId}/deliveries` };
}
