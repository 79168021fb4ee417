import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 20;

/** The jobs that run in this process, whatever their queue. */
export interface RunningJobs {
  /** Starts the work once nothing holds it up. */
  run(work: () => Promise<void>, signal: AbortSignal): Promise<void>;
  /** Starts the work at once, for the job that holds up the others. */
  runNow(work: () => Promise<void>): Promise<void>;
  /**
   * Waits up to `timeoutMs` until no job runs for long, then holds up all that would start, and
   * waits for those that run. False when some of them go on. `resume` lets the others start.
   */
  holdUp(timeoutMs: number, signal: AbortSignal): Promise<boolean>;
  resume(): void;
}

/** Jobs that run for more than `briefMs` may go on for hours: nothing is held up for their end. */
export function trackRunningJobs(briefMs: number): RunningJobs {
  const running = new Set<{ startedMs: number }>();
  let held: PromiseWithResolvers<void> | null = null;
  const isBriefOnly = () =>
    [...running].every(({ startedMs }) => performance.now() - startedMs < briefMs);
  const runNow = async (work: () => Promise<void>) => {
    const job = { startedMs: performance.now() };
    running.add(job);
    try {
      await work();
    } finally {
      running.delete(job);
    }
  };
  return {
    runNow,
    run: async (work, signal) => {
      while (held !== null && !signal.aborted)
        await Promise.race([held.promise, sleep(pollMs, undefined, { ref: false })]);
      await runNow(work);
    },
    holdUp: async (timeoutMs, signal) => {
      await waitFor(isBriefOnly, timeoutMs, signal);
      held = Promise.withResolvers<void>();
      return waitFor(() => running.size === 0, briefMs, signal);
    },
    resume: () => {
      held?.resolve();
      held = null;
    },
  };
}

/** False when the time is over first, or the signal is aborted. */
async function waitFor(
  condition: () => boolean,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const endMs = performance.now() + timeoutMs;
  while (!condition()) {
    if (signal.aborted || performance.now() > endMs) return false;
    await sleep(pollMs);
  }
  return !signal.aborted;
}
