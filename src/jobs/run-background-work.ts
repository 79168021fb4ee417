import {
  runBackgroundJob,
  type BackgroundJob,
} from '#domain/scheduling/background-jobs/run-background-job.ts';
import type { BackgroundWork } from '#domain/scheduling/runs/store-work.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { withTimeLimit } from '#lib/time-limit.ts';
import { isDelivery, isJob, type Registry } from './registry-entry.ts';
import { jobKindsOf } from './schedule.ts';

/**
 * Runs one accepted job or one attempt of a delivery. Their rows say whether they are still due.
 */
export async function runBackgroundWork(
  registry: Registry,
  services: CheckServices,
  work: BackgroundWork,
  signal: AbortSignal,
  survived?: () => Promise<void>,
): Promise<void> {
  if (work.kind === 'job') {
    const jobs: readonly BackgroundJob[] = registry.entries.filter(isJob);
    return runBackgroundJob(
      services,
      { jobs, kinds: jobKindsOf(registry) },
      work.jobId,
      signal,
      survived,
    );
  }
  const entry = registry.entries.find(isDelivery);
  if (!entry) throw new Error('unknown job type webhook-delivery');
  const { timeoutMs, responseTimeoutMs, retry } = entry;
  await withTimeLimit({ timeoutMs, signal }, (limited) =>
    entry.run(services, work, {
      signal: limited,
      responseTimeoutMs,
      retryDelaysMs: retry.delaysMs,
    }),
  );
}
