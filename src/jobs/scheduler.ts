import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import type { Dispatcher } from '#domain/scheduling/runs/store-work.ts';
import { runPeriodicTasks } from '#domain/scheduling/runs/run-periodic-tasks.ts';
import { tick } from '#domain/scheduling/runs/tick.ts';
import type { Registry } from './registry-entry.ts';
import { scheduleOf } from './schedule.ts';

const standby = { isRunOpened: false, isLeader: () => false };

/** Says which of several schedulers works. */
export interface Leadership {
  /** Resolves when it is known for the first time. */
  decided: Promise<void>;
  isLeader(): boolean;
}

/**
 * Ticks at the poll interval, or at once when it is woken. Of several schedulers the leader does
 * the work; the others are ready and run only the tasks of each process. While a leader is
 * replaced, two may work for a moment: rows decide which one does what.
 */
export function startScheduler(
  services: CheckServices,
  dispatcher: Dispatcher,
  registry: Registry,
  leadership: Leadership,
): { wake(): void; close(): Promise<void> } {
  const closing = new AbortController();
  const schedule = scheduleOf(registry);
  const { everyMs, afterFailureMs } = registry.pollInterval;
  const runTick = async () => {
    if (leadership.isLeader())
      await tick(services, dispatcher, schedule, () => leadership.isLeader());
    else await runPeriodicTasks(services, schedule.periodicTasks, standby);
  };
  let wakeUp: () => void = () => undefined;
  const loop = (async () => {
    await leadership.decided;
    while (!closing.signal.aborted) {
      let pauseMs = everyMs;
      try {
        await runTick();
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
