import type { StoreRetryPolicy, StoreWorkOptions } from '#domain/base/plan-store-retry.ts';
import type { StoreJobKind } from '#domain/scheduling/runs/sync-open-jobs.ts';
import { isPlanned, isProbe } from '#jobs/registry-entry.ts';
import { registry } from '#jobs/registry.ts';
import { jobKindsOf, scheduleOf } from '#jobs/schedule.ts';

/** The registry's values in the forms that parts of the product use. */
export const schedule = scheduleOf(registry);
export const jobKinds = jobKindsOf(registry);
export const jobSync = {
  kinds: Object.keys(registry.storeJobs) as StoreJobKind[],
  probeRetryMs: schedule.store.probeRetryMs,
};

const rankCheck = registry.entries.filter(isPlanned).find(({ name }) => name === 'rank-check');
if (!rankCheck || isProbe(rankCheck)) throw new Error('no rank-check in src/jobs/registry.ts');
export const storeRetry: StoreRetryPolicy = rankCheck.retry;

/** Options for functions that send requests to a store, as the workers pass them. */
export const storeOptions = (
  timeoutMs = 30_000,
  lane: StoreWorkOptions['lane'] = 'run',
): StoreWorkOptions => ({ signal: AbortSignal.timeout(timeoutMs), lane, retry: storeRetry });
