import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import type { Dispatcher } from '#domain/scheduling/runs/store-work.ts';
import { runPeriodicTasks } from '#domain/scheduling/runs/run-periodic-tasks.ts';
import { tick } from '#domain/scheduling/runs/tick.ts';
import type { Registry } from './registry-entry.ts';
import { scheduleOf } from './schedule.ts';

/** Says which of several schedulers works. */
export interface Leadership {
  /** Resolves when it is known for the first time. */
  decided: Promise<void>;
  isLeader(): boolean;
  /** Equal as long as nobody writes to the database; null when it is not known. */
  snapshot(): string | null;
  /** Sets the function that is called when the snapshot has changed. */
  onChange(listener: () => void): void;
}

/**
 * Ticks at the poll interval, or at once when it is woken. While nobody writes, only time makes
 * work due: then the pause grows with the time since the last write, and ends with a write. Of
 * several schedulers the leader does the work; the others are ready and run only the tasks of each
 * process. While a leader is replaced, two may work for a moment: rows decide which one does what.
 */
export function startScheduler(
  services: CheckServices,
  dispatcher: Dispatcher,
  registry: Registry,
  leadership: Leadership,
): { wake(): void; close(): Promise<void> } {
  const closing = new AbortController();
  const schedule = scheduleOf(registry);
  const { everyMs, maxIdleMs, afterFailureMs } = registry.pollInterval;
  const runTick = async () => {
    if (leadership.isLeader())
      await tick(services, dispatcher, schedule, () => leadership.isLeader());
    else await runPeriodicTasks(services, schedule.periodicTasks, () => false);
  };
  let wakeUp: () => void = () => undefined;
  let isIdle = false;
  let writtenAtMs = performance.now();
  const wake = () => {
    writtenAtMs = performance.now();
    wakeUp();
  };
  leadership.onChange(() => isIdle && wake());
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
      if (closing.signal.aborted) wakeUp();
    });
  /**
   * A write during the tick leads to another one, because the tick may have missed its rows. A
   * retry that is due some time after a write is late by half of that time at most.
   */
  const waitForWork = async (before: string | null) => {
    await wait(everyMs);
    if (before === null || leadership.snapshot() !== before) writtenAtMs = performance.now();
    const pauseMs = Math.min((performance.now() - writtenAtMs) / 2, maxIdleMs) - everyMs;
    if (pauseMs <= 0) return;
    isIdle = true;
    await wait(pauseMs);
    isIdle = false;
  };
  const loop = (async () => {
    await leadership.decided;
    while (!closing.signal.aborted) {
      const before = leadership.snapshot();
      try {
        await runTick();
        await waitForWork(before);
      } catch (error) {
        if (!closing.signal.aborted)
          services.log.warn(
            { error: (error as Error).message, retryAfterMs: afterFailureMs },
            'scheduler tick failed, will retry',
          );
        await wait(afterFailureMs);
      }
    }
  })();
  return {
    wake,
    close: async () => {
      closing.abort();
      wakeUp();
      await loop;
    },
  };
}
