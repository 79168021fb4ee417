import { completeWithGap, insertDeadLetter, rescheduleCheck } from '#db/queries/rankings/checks.ts';
import {
  completeStoreTaskWithGap,
  rescheduleStoreTask,
} from '#db/queries/store-tasks/store-tasks.ts';
import { completeNaming, listWaiting } from '#db/queries/listings/unnamed-listings.ts';
import { completeListings, listListingsToRead } from '#db/queries/listings/listing-schedule.ts';
import { upsertProbe } from '#db/queries/runs/store-probes.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import {
  planStoreRetry,
  type StoreFailureFacts,
  type StoreRetryPolicy,
} from '#domain/base/plan-store-retry.ts';
import { recountPastDay } from '#domain/tracking/rankings/count-days.ts';
import { rescheduleNames } from './name-listings.ts';
import { rescheduleRefresh } from './refresh-listings.ts';
import type { StoreWork } from './store-work.ts';

export interface QueuedWork {
  queue: string;
  jobId: string;
  data: object;
}

/**
 * Work that crashed its worker gets a gap for its day and no further retry; a search provider whose
 * probe did so counts as failing, and is probed again. Work that only failed is retried later, like
 * after an unreadable response: the database may have been unavailable. Work without a retry is
 * dead-lettered, for a person to look at. Returns whether it was.
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
): Promise<boolean> {
  if (reason === 'failed' && (await rescheduleLater(services, work, retry))) return false;
  await giveUp(services, work, reason);
  await insertDeadLetter(services.systemDb, queued);
  return true;
}

async function giveUp(services: Services, work: StoreWork, marker: string): Promise<void> {
  const { systemDb, clock } = services;
  if (work.kind === 'store-probe') {
    const { store, provider, day: date } = work;
    const probe = {
      store,
      provider,
      date,
      state: 'degraded',
      probedAt: clock.now(),
      marker,
    } as const;
    await inSystem(services, (tx) => upsertProbe(tx, probe));
  }
  if (work.kind === 'rank-check') {
    await completeWithGap(systemDb, { marketId: work.marketId, day: work.day, marker });
    await recountPastDay(services, work.day, [work.marketId]);
  }
  if (work.kind === 'app-refresh') {
    const left = await listListingsToRead(systemDb, work);
    const listingIds = left.map(({ id }) => id);
    await completeListings(systemDb, { ...work, listingIds, read: false, marker });
  }
  if (work.kind === 'listing-names') await completeNaming(systemDb, { ...work, missing: [] });
  if (work.kind === 'store-task') {
    const { storeTaskId, day } = work;
    await completeStoreTaskWithGap(systemDb, { storeTaskId, day, marker });
  }
}

/** As an error of ours, it says nothing about the store. */
const failed: StoreFailureFacts = {
  failure: 'unreadable',
  marker: 'failed',
  retryAfterMs: null,
  cost: { requests: 1, bytes: 0, ms: 0 },
};

/** False if no retry is left. */
async function rescheduleLater(
  services: Services,
  work: StoreWork,
  retry: StoreRetryPolicy,
): Promise<boolean> {
  const { systemDb, clock } = services;
  // The next tick sends it again.
  if (work.kind === 'store-probe') return true;
  if (work.kind === 'app-refresh') {
    const listings = await listListingsToRead(systemDb, work);
    return rescheduleRefresh(services, work, { listings, error: failed, retry });
  }
  if (work.kind === 'listing-names') {
    const listings = await listWaiting(systemDb, work.country, work.listingIds);
    return rescheduleNames(services, work, { listings, error: failed, retry });
  }
  const decision = planStoreRetry(retry, failed, work.attempt, clock.now());
  if (decision.kind === 'give-up') return false;
  const { attempts, at: retryAt } = decision;
  const later = { day: work.day, attempts, retryAt, marker: failed.marker };
  if (work.kind === 'store-task')
    await rescheduleStoreTask(systemDb, { storeTaskId: work.storeTaskId, ...later });
  else await rescheduleCheck(systemDb, { marketId: work.marketId, ...later });
  return true;
}
