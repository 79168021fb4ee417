import { storeNames } from '#domain/base/ports.ts';
import type { QueueProbe } from '#domain/scheduling/health/get-health.ts';
import { rowQueues } from '#domain/scheduling/runs/store-work.ts';
import type { Queue, QueueStore } from '#queue/queue.ts';

/** The queue as `GET /health` and the metrics report it. */
export function probeQueue(queues: QueueStore): QueueProbe {
  // Opened here, because the capacity counts the jobs of open queues.
  const all = [...storeNames, ...rowQueues].map((name) => queues.queue(name));
  return {
    backend: queues.backend,
    waiting: () => countJobs(all),
    isWritable: () => queues.isWritable(),
  };
}

/** Jobs that wait or run. */
async function countJobs(queues: readonly Queue[]): Promise<number> {
  const counts = await Promise.all(queues.map((queue) => queue.counts()));
  return counts.reduce((sum, count) => sum + count.waiting + count.active, 0);
}
