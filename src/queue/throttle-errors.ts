import type { Logger } from '#lib/logger.ts';
import { withRemedy } from './errors.ts';

const intervalMs = 10_000;

export type OnQueueError = (error: Error, where: string) => void;

/**
 * Logs the first error, and then one line every 10 s, because an unavailable store causes thousands
 * a second. `dropped` counts the errors in between.
 */
export function throttleErrors(log: Pick<Logger, 'error'>): OnQueueError {
  let lastMs = -Infinity;
  let dropped = 0;
  return (error, where) => {
    const nowMs = performance.now();
    if (nowMs - lastMs < intervalMs) {
      dropped++;
      return;
    }
    const message = withRemedy(error.message);
    log.error({ where, error: message, dropped }, 'queue store error, will retry');
    lastMs = nowMs;
    dropped = 0;
  };
}
