import { releaseDeliveries, takeDueDeliveries } from '#db/queries/webhooks/due-deliveries.ts';
import { releaseBackgroundJobs, takeBackgroundJobs } from '#db/queries/jobs/background-jobs.ts';
import type { Services } from '#domain/base/context.ts';
import { continueJobTraces } from './continue-traces.ts';
import { enqueue } from './enqueue.ts';
import type { BackgroundSchedule, RowSchedule } from './schedule.ts';
import type { BackgroundWork, Dispatcher } from './store-work.ts';

/** Enqueues the accepted jobs of a queue. Returns their number. Throws EnqueueError. */
export async function dispatchBackgroundJobs(
  services: Services,
  dispatcher: Dispatcher,
  { queue, kinds, maxOfWorkspace, ...schedule }: BackgroundSchedule,
): Promise<number> {
  const taken = await takeBackgroundJobs(services.systemDb, {
    ...leaseOf(services, schedule),
    kinds,
    maxOfWorkspace,
  });
  if (taken.length === 0) return 0;
  const jobIds = taken.map(({ id }) => id);
  await enqueue(
    async () => dispatcher.sendBackground(queue, await continueJobTraces(services, taken)),
    () => releaseBackgroundJobs(services.systemDb, jobIds),
  );
  return jobIds.length;
}

/** Enqueues webhook deliveries that are due. Returns their number. Throws EnqueueError. */
export async function dispatchDeliveries(
  services: Services,
  dispatcher: Dispatcher,
  schedule: RowSchedule,
): Promise<number> {
  const due = await takeDueDeliveries(services.systemDb, leaseOf(services, schedule));
  if (due.length === 0) return 0;
  const work = due.map(({ id, attempts }): BackgroundWork => ({
    kind: 'delivery',
    deliveryId: id,
    attempt: attempts + 1,
  }));
  const ids = due.map(({ id }) => id);
  await enqueue(
    () => dispatcher.sendBackground('deliveries', work),
    () => releaseDeliveries(services.systemDb, ids),
  );
  return due.length;
}

function leaseOf(
  { clock }: Services,
  { leaseMs, batchSize }: RowSchedule,
): { now: Date; until: Date; limit: number } {
  const now = clock.now();
  return { now, until: new Date(now.getTime() + leaseMs), limit: batchSize };
}
