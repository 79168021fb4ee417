import type { StoreJobKind } from '#db/queries/jobs/jobs.ts';
import { syncJobStatus } from '#db/queries/jobs/sync-job-status.ts';
import type { Services } from '#domain/base/context.ts';

export type { StoreJobKind };

const lastIds = new WeakMap<Services, bigint>();

/**
 * Updates accepted jobs from the store work they requested. Each call continues after the job the
 * last one ended with, so that jobs without progress do not block newer ones.
 */
export async function syncOpenJobs(
  services: Services,
  options: { kinds: readonly StoreJobKind[]; probeRetryMs: number },
): Promise<void> {
  const afterId = lastIds.get(services) ?? 0n;
  const now = services.clock.now();
  lastIds.set(services, await syncJobStatus(services.systemDb, { ...options, now, afterId }));
}
