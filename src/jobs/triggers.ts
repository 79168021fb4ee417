/** Triggers start an entry of the registry; queue, retry and time limit follow from them. */

export const [second, minute, hour] = [1_000, 60_000, 3_600_000];
export const minutes = (...counts: number[]): number[] => counts.map((count) => count * minute);

/** A failed task runs again with the next tick, a daily one after a minute, until it succeeds. */
const inScheduler = { queue: 'scheduler', retry: { afterMs: 0 }, timeoutMs: 15 * minute } as const;
export const every = (ms: number) => ({ ...inScheduler, trigger: { every: ms } });
export const daily = {
  ...inScheduler,
  trigger: 'run-opened',
  retry: { afterMs: minute },
  timeoutMs: hour,
} as const;

/** Six attempts a day, then a gap with the reason. A refusal waits longer than other failures. */
const storeRetry = {
  delaysMs: minutes(1, 5, 15, 30, 60),
  refusedDelaysMs: minutes(1, 15, 60, 180, 360),
};
/**
 * A check waits only `maxCooldownMs` for the end of a cooldown: the next probe may show that other
 * providers are to be asked.
 */
export const inPhase = (
  phase: number,
  priority: { planned: number; urgent: number },
  maxCooldownMs = hour,
) =>
  ({
    trigger: { phase },
    queue: 'store',
    priority,
    retry: { ...storeRetry, maxCooldownMs },
    timeoutMs: 2 * hour,
  }) as const;

/** Three attempts, then the job has failed. It waits while its workspace cannot be written to. */
export const accepted = {
  trigger: 'accepted',
  queue: 'background',
  workspaces: 'active',
  retry: { delaysMs: [second, 4 * second] },
  stateBeforeRetry: 'running',
  timeoutMs: hour,
} as const;
