import { completeDailyTask, findRunBefore } from '#db/queries/runs/runs.ts';
import { addDays, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { TimeoutError, withTimeLimit } from '#lib/time-limit.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';

/**
 * Recurring work that follows from stored rows. It may run in several schedulers at once while a
 * leader is replaced, so it must be idempotent.
 */
export interface PeriodicTask {
  name: string;
  /** An interval (0: with each tick), or once for each daily run after it was opened. */
  trigger: { every: number } | 'run-opened';
  /** It works on what only this process has, such as its memory, so each process runs it. */
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
  /** The newest day of whose run a daily task is known to be complete. */
  doneOn: Map<string, UtcDay>;
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
  isLeader: () => boolean = () => true,
): Promise<void> {
  const state = states.get(services) ?? { due: new Map(), running: new Set(), doneOn: new Map() };
  states.set(services, state);
  for (const task of tasks) {
    if (!isLeader() && !task.inEveryProcess) continue;
    if (isDue(state, task, services.clock.now().getTime())) await runTask(services, state, task);
  }
}

function isDue({ due, running }: State, { name }: PeriodicTask, nowMs: number): boolean {
  if (running.has(name)) return false;
  const next = due.get(name);
  if (next === undefined) return true;
  // A clock that was set back does not prolong the wait.
  return nowMs >= next.atMs || next.atMs - nowMs > next.waitMs;
}

/**
 * Runs a daily task if it is not complete for the newest run. The row of the run says so, because
 * another process may have to continue.
 */
async function runDaily(
  services: CheckServices,
  { doneOn }: State,
  task: PeriodicTask,
  signal: AbortSignal,
): Promise<unknown> {
  const { systemDb, clock } = services;
  const today = utcDayOf(clock.now());
  if (doneOn.get(task.name) === today) return 0;
  const run = await findRunBefore(systemDb, addDays(today, 1));
  if (run === undefined) return 0;
  if (!run.doneTasks.includes(task.name)) {
    const left = await task.run(services, signal);
    if (Number(left) > 0) return left;
    await completeDailyTask(systemDb, run.date, task.name);
  }
  doneOn.set(task.name, run.date);
  return 0;
}

async function runTask(services: CheckServices, state: State, task: PeriodicTask): Promise<void> {
  const { name, trigger, retry, timeoutMs } = task;
  const startedMs = services.clock.now().getTime();
  const wait = (ms: number) => state.due.set(name, { atMs: startedMs + ms, waitMs: ms });
  try {
    const outcome = await withTimeLimit({ timeoutMs }, async (signal) => {
      state.running.add(name);
      try {
        return trigger === 'run-opened'
          ? await runDaily(services, state, task, signal)
          : await task.run(services, signal);
      } finally {
        state.running.delete(name);
      }
    });
    if (trigger !== 'run-opened') wait(trigger.every);
    else wait(Number(outcome) > 0 ? retry.afterMs : 0);
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
