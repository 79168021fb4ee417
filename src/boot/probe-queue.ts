import { storeNames } from '#domain/base/ports.ts';
import type { QueueProbe } from '#domain/scheduling/health/get-health.ts';
import type { QueueStore } from '#queue/queue.ts';

/** The queue as `GET /health` and the metrics report it. */
export function probeQueue(queues: QueueStore): QueueProbe {
  return {
    backend: queues.backend,
    waiting: () => countWaiting(queues),
    isWritable: () => queues.isWritable(),
  };
}

/** Jobs in the queues of the stores. */
async function countWaiting(queues: QueueStore): Promise<number> {
  const counts = await Promise.all(storeNames.map((store) => queues.queue(store).counts()));
  return counts.reduce((sum, count) => sum + count.waiting + count.active, 0);
}
