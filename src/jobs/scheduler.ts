import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import type { Dispatcher } from '#domain/scheduling/runs/store-work.ts';
import { tick } from '#domain/scheduling/runs/tick.ts';
import type { Registry } from './registry-entry.ts';
import { scheduleOf } from './schedule.ts';

/**
 * Ticks at the poll interval, or at once when it is woken. Any number of schedulers may run,
 * because rows decide which one does the work.
 */
export function startScheduler(
  services: CheckServices,
  dispatcher: Dispatcher,
  registry: Registry,
): { wake(): void; close(): Promise<void> } {
  const closing = new AbortController();
  const schedule = scheduleOf(registry);
  const { everyMs, afterFailureMs } = registry.pollInterval;
  let wakeUp: () => void = () => undefined;
  const loop = (async () => {
    while (!closing.signal.aborted) {
      let pauseMs = everyMs;
      try {
        await tick(services, dispatcher, schedule);
      } catch (error) {
        pauseMs = afterFailureMs;
        if (!closing.signal.aborted)
          services.log.warn(
            { error: (error as Error).message, retryAfterMs: pauseMs },
            'scheduler tick failed, will retry',
          );
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs);
        wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
        if (closing.signal.aborted) wakeUp();
      });
    }
  })();
  return {
    wake: () => wakeUp(),
    close: async () => {
      closing.abort();
      wakeUp();
      await loop;
    },
  };
}
