import { storeNames } from '#domain/base/ports.ts';
import type { QueueStore } from '#queue/queue.ts';

/** Jobs in the queues of the stores. */
export async function countWaiting(queues: QueueStore): Promise<number> {
  const counts = await Promise.all(storeNames.map((store) => queues.queue(store).counts()));
  return counts.reduce((sum, count) => sum + count.waiting + count.active, 0);
}
