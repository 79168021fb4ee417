import { StoreError } from '#domain/base/ports.ts';
import type { StoreWorkOptions } from '#domain/base/plan-store-retry.ts';
import { plannedKindOf, type StoreWork } from '#domain/scheduling/runs/store-work.ts';
import {
  runStoreTask,
  type FetchStoreTask,
} from '#domain/scheduling/store-tasks/run-store-task.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { withTimeLimit } from '#lib/time-limit.ts';
import {
  isPlanned,
  isProbe,
  type PlannedEntry,
  type Registry,
  type StoreEntry,
  type WorkOf,
} from './registry-entry.ts';

/** The entry of a store job; undefined for a job type of another version. */
export function findPlanned(registry: Registry, work: StoreWork): PlannedEntry | undefined {
  const name = plannedKindOf(work);
  return registry.entries.filter(isPlanned).find((entry) => entry.name === name);
}

export const isUrgent = (work: StoreWork): boolean => 'urgent' in work && work.urgent;

/** Makes a registry's `run` from the function that fetches one kind of store task. */
export function storeTask(fetchTask: FetchStoreTask) {
  return (services: CheckServices, work: WorkOf<'store-task'>, options: StoreWorkOptions) =>
    runStoreTask(services, fetchTask, work, options);
}

/**
 * Runs one job of a store's queue. At its time limit its requests are aborted; it is then retried
 * as if the store had not responded. Throws on unknown job types.
 */
export async function runStoreWork(
  registry: Registry,
  services: CheckServices,
  work: StoreWork,
  signal: AbortSignal,
): Promise<void> {
  const entry = findPlanned(registry, work);
  if (!entry) throw new Error(`unknown job type ${plannedKindOf(work)}`);
  const { timeoutMs } = entry;
  const timeoutError = () =>
    new StoreError({
      store: work.store,
      failure: 'unavailable',
      marker: 'timeout',
      message: `timeout: ${entry.name} did not finish within ${timeoutMs} ms`,
      cost: { requests: 1, bytes: 0, ms: timeoutMs },
    });
  await withTimeLimit({ timeoutMs, signal, timeoutError }, (limited) => {
    const options = { signal: limited, lane: isUrgent(work) ? 'interactive' : 'run' } as const;
    if (isProbe(entry)) return entry.run(services, work as WorkOf<'store-probe'>, options);
    const { run, retry }: StoreEntry = entry;
    return run(services, work, { ...options, retry });
  });
}
