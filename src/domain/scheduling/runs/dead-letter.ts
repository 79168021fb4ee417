import { completeWithGap, insertDeadLetter, rescheduleCheck } from '#db/queries/rankings/checks.ts';
import {
  completeStoreTaskWithGap,
  rescheduleStoreTask,
} from '#db/queries/store-tasks/store-tasks.ts';
import { completeNaming } from '#db/queries/listings/unnamed-listings.ts';
import { completeListings } from '#db/queries/listings/listing-schedule.ts';
import type { Services } from '#domain/base/context.ts';
import { planStoreRetry, type StoreRetryPolicy } from '#domain/base/plan-store-retry.ts';
import { recountPastDay } from '#domain/tracking/rankings/count-days.ts';
import type { StoreWork } from './store-work.ts';

export interface QueuedWork {
  queue: string;
  jobId: string;
  data: object;
}

/**
 * Stores a dead letter for a person to look at. Work that crashed its worker gets a gap for its day
 * and no further retry. Work that only failed is retried later, like after an unreadable response:
 * the database may have been unavailable.
 */
export async function deadLetterStoreWork(
  services: Services,
  work: StoreWork,
  {
    queued,
    reason,
    retry,
  }: {
    queued: QueuedWork;
    reason: 'crashed' | 'failed';
    retry: StoreRetryPolicy;
  },
): Promise<void> {
  await insertDeadLetter(services.systemDb, queued);
  if (reason === 'failed' && (await rescheduleLater(services, work, retry))) return;
  const marker = 'crashed';
  const { systemDb } = services;
  if (work.kind === 'rank-check') {
    await completeWithGap(systemDb, { marketId: work.marketId, day: work.day, marker });
    await recountPastDay(services, work.day, [work.marketId]);
  }
  if (work.kind === 'app-refresh')
    await completeListings(systemDb, { ...work, read: false, marker });
  if (work.kind === 'listing-names') await completeNaming(systemDb, { ...work, missing: [] });
  if (work.kind === 'store-task') {
    const { storeTaskId, day } = work;
    await completeStoreTaskWithGap(systemDb, { storeTaskId, day, marker });
  }
}

/** False if no retry is left. */
async function rescheduleLater(
  services: Services,
  work: StoreWork,
  retry: StoreRetryPolicy,
): Promise<boolean> {
  if (work.kind !== 'rank-check' && work.kind !== 'store-task') return false;
  const marker = 'failed';
  const decision = planStoreRetry(
    retry,
    { failure: 'unreadable', marker, retryAfterMs: null, cost: { requests: 1, bytes: 0, ms: 0 } },
    work.attempt,
    services.clock.now(),
  );
  if (decision.kind === 'give-up') return false;
  const later = { day: work.day, attempts: decision.attempts, retryAt: decision.at, marker };
  if (work.kind === 'store-task')
    await rescheduleStoreTask(services.systemDb, { storeTaskId: work.storeTaskId, ...later });
  else await rescheduleCheck(services.systemDb, { marketId: work.marketId, ...later });
  return true;
}
