import { storeNames, type StoreName } from '#domain/base/ports.ts';
import { failCrashedDelivery } from '#domain/alerting/webhooks/fail-crashed-delivery.ts';
import { failCrashedJob } from '#domain/scheduling/background-jobs/crashed-jobs.ts';
import { deadLetterStoreWork } from '#domain/scheduling/runs/dead-letter.ts';
import {
  rowQueues,
  type BackgroundWork,
  type RowQueue,
  type StoreWork,
} from '#domain/scheduling/runs/store-work.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { utcDayOf } from '#lib/dates.ts';
import type { DeadLetter, QueueStore, RunningJob, Worker } from '#queue/queue.ts';
import { isProbe, type Registry } from './registry-entry.ts';
import { runBackgroundWork } from './run-background-work.ts';
import { findPlanned, runStoreWork } from './run-store-work.ts';
import { runTraced } from './trace-jobs.ts';

/** Starts the workers of all queues: one for each store, and those of jobs and deliveries. */
export function startWorkers(
  queues: QueueStore,
  services: CheckServices,
  registry: Registry,
): { close(timeoutMs: number): Promise<void> } {
  const workers = [
    ...storeNames.map((store) => startStoreWorker(queues, services, registry, store)),
    ...rowQueues.map((queue) => startBackgroundWorker(queues, services, registry, queue)),
  ];
  return {
    close: async (timeoutMs) =>
      void (await Promise.all(workers.map((worker) => worker.close(timeoutMs)))),
  };
}

function startStoreWorker(
  queues: QueueStore,
  services: CheckServices,
  registry: Registry,
  store: StoreName,
): Worker {
  const { concurrency, retryDelaysMs } = registry.queues.store;
  const { requestsPerMinute, endpoints } = services.settings;
  const settings = {
    concurrency: concurrency((requestsPerMinute[store] * endpoints()) / 60),
    retryDelaysMs,
    onDeadLetter: (job: DeadLetter) => deadLetter(services, registry, store, job),
  };
  return queues.work(store, settings, async (job) => {
    const work = job.data as unknown as StoreWork;
    // Dropped jobs lose nothing: their rows are enqueued again as long as they are due.
    const { log, clock } = services;
    if (!findPlanned(registry, work)) {
      log.warn({ queue: store, job: job.id, type: job.name }, 'unknown job type, job dropped');
      return;
    }
    // A day after today is that of a clock that was ahead.
    if (work.day !== utcDayOf(clock.now())) {
      log.debug({ queue: store, job: job.id, day: work.day }, 'not of today, job dropped');
      return;
    }
    await runTraced(store, job, () => runStoreWork(registry, services, work, job.signal));
  });
}

async function deadLetter(
  services: CheckServices,
  registry: Registry,
  queue: StoreName,
  { id, data, reason, error }: DeadLetter,
): Promise<void> {
  const work = data as unknown as StoreWork;
  const entry = findPlanned(registry, work);
  const retry = entry && !isProbe(entry) ? entry.retry : { delaysMs: [], refusedDelaysMs: [] };
  const queued = { queue, jobId: id, data };
  const isDead = await deadLetterStoreWork(services, work, { queued, reason, retry });
  const facts = { queue, job: id, reason, error };
  if (isDead) services.log.error(facts, 'no retry left, job was dead-lettered');
  else services.log.warn(facts, 'job failed, will retry later');
}

function startBackgroundWorker(
  queues: QueueStore,
  services: CheckServices,
  registry: Registry,
  queue: RowQueue,
): Worker {
  const { concurrency, retryDelaysMs } = registry.queues[queue];
  const onDeadLetter = async ({ id, data, reason, error }: DeadLetter) => {
    const work = data as unknown as BackgroundWork;
    // Work that only failed is still due: it is enqueued again when its lease ends.
    if (reason === 'crashed')
      await (work.kind === 'job'
        ? failCrashedJob(services, work.jobId)
        : failCrashedDelivery(services, work.deliveryId));
    services.log.error({ queue, job: id, reason, error }, 'no retry left, job dropped');
  };
  const run = (job: RunningJob) => {
    const work = job.data as unknown as BackgroundWork;
    const { signal, survived } = job;
    // A job that another version has put on another queue is enqueued again when its lease ends.
    const entries = registry.entries.filter((entry) => entry.queue === queue);
    return runTraced(queue, job, () =>
      runBackgroundWork({ ...registry, entries }, services, work, signal, survived),
    );
  };
  return queues.work(queue, { concurrency, retryDelaysMs, onDeadLetter }, run);
}
