import type { Logger } from '../lib/logger.ts';

const intervalMs = 10_000;

export type OnQueueError = (error: Error, where: string) => void;

/** Logs the first error and then one line per 10 s: a store that is away makes thousands of them a second. */
export function quietErrors(log: Pick<Logger, 'error'>): OnQueueError {
  let lastMs = -Infinity;
  let unlogged = 0;
  return (error, where) => {
    const nowMs = performance.now();
    if (nowMs - lastMs < intervalMs) {
      unlogged++;
      return;
    }
    log.error({ where, error: error.message, unlogged }, 'the queue store gave an error');
    lastMs = nowMs;
    unlogged = 0;
  };
}
