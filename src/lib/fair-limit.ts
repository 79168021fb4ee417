/** Allows `total` pieces of work at a time, and `perKey` of one key. Serves keys round-robin. */
export interface FairLimit {
  /**
   * Waits for a slot and returns the function that releases it. Throws the signal's reason when it
   * is aborted meanwhile, and LimitExceededError when too much work of the key waits already.
   */
  acquire(key: number, signal: AbortSignal): Promise<() => void>;
}

export class LimitExceededError extends Error {}

export interface FairLimitOptions {
  total: number;
  perKey: number;
  maxWaitingPerKey: number;
}

interface Queue {
  running: number;
  waiting: Set<() => void>;
}

export function createFairLimit({ total, perKey, maxWaitingPerKey }: FairLimitOptions): FairLimit {
  // Round-robin by the map's order: a key that was served comes last.
  const queues = new Map<number, Queue>();
  let running = 0;

  const removeIfIdle = (key: number, queue: Queue) => {
    if (queue.running === 0 && queue.waiting.size === 0) queues.delete(key);
  };

  const startNext = () => {
    if (running >= total) return;
    for (const [key, queue] of queues) {
      const [start] = queue.waiting;
      if (start === undefined || queue.running >= perKey) continue;
      queue.waiting.delete(start);
      queues.delete(key);
      queues.set(key, queue);
      queue.running += 1;
      running += 1;
      return start();
    }
  };

  const waitForSlot = (key: number, queue: Queue, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        queue.waiting.delete(start);
        removeIfIdle(key, queue);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      queue.waiting.add(start);
      startNext();
    });

  return {
    async acquire(key, signal) {
      signal.throwIfAborted();
      const queue = queues.get(key) ?? { running: 0, waiting: new Set() };
      if (queue.waiting.size >= maxWaitingPerKey) throw new LimitExceededError();
      queues.set(key, queue);
      await waitForSlot(key, queue, signal);
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        queue.running -= 1;
        running -= 1;
        removeIfIdle(key, queue);
        startNext();
      };
    },
  };
}
