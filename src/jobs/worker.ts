import type { CheckServices } from '../domain/rankings/check-market.ts';
import type { Dispatcher, HouseWork, StoreWork } from '../domain/runs/dispatch.ts';
import { parkStoreWork } from '../domain/runs/park-work.ts';
import { storeNames, type StoreName } from '../domain/ports.ts';
import { utcDayOf } from '../lib/dates.ts';
import type { QueueStore, Worker } from '../queue/queue.ts';
import { runHouseWork } from './house.ts';
import { findJob } from './index.ts';

export const houseQueueName = 'house';
const houseConcurrency = 8;
/** Deliveries have a queue of their own: slow receivers hold up nobody but each other. Fifty that never answer, with two each, leave room. */
export const deliveryQueueName = 'deliveries';
const deliveryConcurrency = 128;

export const queueName = (store: StoreName): string => `checks-${store}`;

/** Puts work on its store's queue: ids only. */
export function createDispatcher(queues: QueueStore): Dispatcher {
  return {
    send: (store, work) =>
      queues.queue(queueName(store)).addAll(
        work.map((item) => {
          const job = findJob(item.kind);
          return {
            id: job.idOf(item),
            name: item.kind,
            data: { ...item },
            priority: job.priorityOf(item),
          };
        }),
      ),
    sendHouse: async (work) => {
      for (const [kind, items] of Map.groupBy(work, (item) => item.kind)) {
        const queue = queues.queue(kind === 'job' ? houseQueueName : deliveryQueueName);
        await queue.addAll(
          items.map((item) => ({
            id: houseJobId(item),
            name: item.kind,
            data: { ...item },
            priority: 1,
          })),
        );
      }
    },
  };
}

const houseJobId = (work: HouseWork): string =>
  work.kind === 'job' ? `job_${work.jobId}` : `delivery_${work.deliveryId}_${work.attempt}`;

/**
 * Works the stores' queues and the house's. Enough hands that a store's pace is always used, few enough that urgent work does not
 * wait behind many that hold a place in the line already.
 */
export function startWorkers(
  queues: QueueStore,
  services: CheckServices,
): { close(timeoutMs: number): Promise<void> } {
  const workers = storeNames.map((store): Worker => {
    const requestsPerSecond =
      (services.settings.requestsPerMinute[store] * services.settings.endpoints()) / 60;
    const concurrency = Math.min(32, Math.max(2, Math.ceil(requestsPerSecond * 3)));
    const onPoison = async (job: {
      id: string;
      name: string;
      data: Record<string, unknown>;
      reason: 'crashed' | 'failed';
      error: string | null;
    }) => {
      services.log.error(
        { queue: queueName(store), job: job.id, reason: job.reason, error: job.error },
        'a job was given up and parked',
      );
      await parkStoreWork(
        services,
        job.data as unknown as StoreWork,
        { queue: queueName(store), jobId: job.id, data: job.data },
        job.reason,
      );
    };
    return queues.work(queueName(store), { concurrency, onPoison }, async (job) => {
      const work = job.data as unknown as StoreWork;
      // Left over from a day that has ended: its rows have their reasons, and are work of today. What has begun goes on.
      if (work.day < utcDayOf(services.clock.now())) return;
      await findJob(job.name).run(services, work, job.signal);
    });
  });
  for (const [queue, concurrency] of [
    [houseQueueName, houseConcurrency],
    [deliveryQueueName, deliveryConcurrency],
  ] as const) {
    const onPoison = async (job: { id: string; reason: string; error: string | null }) =>
      services.log.error(
        { queue, job: job.id, reason: job.reason, error: job.error },
        'house work was given up',
      );
    workers.push(
      queues.work(queue, { concurrency, onPoison }, (job) =>
        runHouseWork(services, job.data as unknown as HouseWork, job.signal),
      ),
    );
  }
  return {
    close: async (timeoutMs) =>
      void (await Promise.all(workers.map((worker) => worker.close(timeoutMs)))),
  };
}
