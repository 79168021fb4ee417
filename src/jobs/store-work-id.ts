import { createHash } from 'node:crypto';
import type { BackgroundWork, StoreWork } from '#domain/scheduling/runs/store-work.ts';

/**
 * The id of a store job, without `:`. The same work has the same id, so that it is queued once;
 * urgent work has its own, so that it does not wait for its planned twin.
 */
export function storeWorkId(work: StoreWork): string {
  switch (work.kind) {
    case 'store-probe':
      return `probe_${work.store}_${work.provider}_${work.day}_${work.attempt}`;
    case 'rank-check':
      return `rank_${work.marketId}_${work.day}_${work.attempt}${suffix(work)}`;
    case 'app-refresh':
      return `refresh_${work.country}_${work.day}_${hashOf(work.listingIds)}${suffix(work)}`;
    case 'listing-names':
      return `names_${work.country}_${work.day}_${hashOf(work.listingIds)}`;
    case 'store-task':
      return `task_${work.storeTaskId}_${work.day}_${work.attempt}${suffix(work)}`;
  }
}

/** The id of a background job has no attempt: a job that runs longer than its lease runs once. */
export function backgroundWorkId(work: BackgroundWork): string {
  return work.kind === 'job' ? `job_${work.jobId}` : `delivery_${work.deliveryId}_${work.attempt}`;
}

const suffix = ({ urgent }: { urgent: boolean }): string => (urgent ? '_u' : '');

const hashOf = (ids: readonly number[]): string =>
  createHash('sha256').update(ids.join()).digest('hex').slice(0, 16);
