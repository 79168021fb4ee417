import { TimeoutError, withTimeLimit } from '#lib/time-limit.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';

/**
 * Recurring work that follows from stored rows. It may run in several schedulers at once while a
 * leader is replaced, so it must be idempotent.
 */
export interface PeriodicTask {
  name: string;
  /** An interval (0: with each tick), or once by the process that opened the day's run. */
  trigger: { every: number } | 'run-opened';
  /** It works on what this process has in memory, so it runs without being the leader, too. */
  inEveryProcess?: true;
  /** A failed task is due again after this; 0 is the next tick. */
  retry: { afterMs: number };
  timeoutMs: number;
  /**
   * A daily task that resolves to a number above 0 has more to do, and continues after
   * `retry.afterMs`.
   */
  run(services: CheckServices, signal: AbortSignal): Promise<unknown>;
}

interface State {
  due: Map<string, { atMs: number; waitMs: number }>;
  running: Set<string>;
}

const states = new WeakMap<CheckServices, State>();

/**
 * Runs the tasks that are due, one after the other. A failure or timeout is logged and retried, and
 * affects no other task. Without leadership only tasks of each process run. A task that ignores its
 * abort signal is not started again before it has ended.
 */
export async function runPeriodicTasks(
  services: CheckServices,
  tasks: readonly PeriodicTask[],
  { isRunOpened, isLeader = () => true }: { isRunOpened: boolean; isLeader?: () => boolean },
): Promise<void> {
  const state = states.get(services) ?? { due: new Map(), running: new Set() };
  states.set(services, state);
  for (const task of tasks) {
    if (isRunOpened && task.trigger === 'run-opened')
      state.due.set(task.name, { atMs: -Infinity, waitMs: 0 });
    if (!isLeader() && !task.inEveryProcess) continue;
    if (isDue(state, task, services.clock.now().getTime())) await runTask(services, state, task);
  }
}

function isDue({ due, running }: State, { name, trigger }: PeriodicTask, nowMs: number): boolean {
  if (running.has(name)) return false;
  const next = due.get(name);
  if (next === undefined) return trigger !== 'run-opened';
  // A clock that was set back does not prolong the wait.
  return nowMs >= next.atMs || next.atMs - nowMs > next.waitMs;
}

async function runTask(services: CheckServices, state: State, task: PeriodicTask): Promise<void> {
  const { name, trigger, retry, timeoutMs } = task;
  const startedMs = services.clock.now().getTime();
  const wait = (ms: number) => state.due.set(name, { atMs: startedMs + ms, waitMs: ms });
  try {
    const outcome = await withTimeLimit({ timeoutMs }, async (signal) => {
      state.running.add(name);
      try {
        return await task.run(services, signal);
      } finally {
        state.running.delete(name);
      }
    });
    const restMs = Number(outcome) > 0 ? retry.afterMs : Infinity;
    wait(trigger === 'run-opened' ? restMs : trigger.every);
  } catch (error) {
    wait(retry.afterMs);
    services.log.warn(
      { task: name, error: (error as Error).message, retryAfterMs: retry.afterMs },
      error instanceof TimeoutError
        ? 'periodic task timed out, will retry'
        : 'periodic task failed, will retry',
    );
  }
}
