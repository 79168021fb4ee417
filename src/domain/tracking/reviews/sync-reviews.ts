import { randomUUID } from 'node:crypto';
import { findReviewFeed, completeReviewSync } from '#db/queries/reviews/review-readings.ts';
import type { UtcDay } from '#lib/dates.ts';
import { maxReviewPages } from '#stores/profiles.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import {
  addCosts,
  addEarlierCost,
  type Cost,
  type ReviewsResponse,
  type StoreName,
  type StoreRequestOptions,
} from '#domain/base/ports.ts';
import { cleanReviews, type CleanReview } from './clean-review.ts';
import { recordPage } from './record-page.ts';

export interface ReviewTask {
  store: StoreName;
  listingId: number | null;
  country: string;
}

/**
 * Reads a storefront's reviews, newest first, down to a known one, and records each page. Reviews
 * count as known only when the reading completed: an interrupted one restarts from the top and
 * leaves no hole. Throws StoreError, with the cost of all pages, when the store did not respond.
 * Earlier pages stay recorded.
 */
export async function syncReviews(
  services: Services,
  task: ReviewTask,
  _day: UtcDay,
  options: StoreRequestOptions,
): Promise<{ requests: number }> {
  const { listingId, country } = task;
  const known =
    listingId === null
      ? undefined
      : await findReviewFeed(services.systemDb, { listingId, country });
  if (listingId === null || !known) throw new Error(`reviews of an unknown listing: ${listingId}`);
  const feed = { listingId, country };
  const reading = randomUUID();
  let cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const seen = { newest: null as Date | null, oldest: null as Date | null };
  let cursor: string | null = null;
  for (let page = 1; ; page += 1) {
    options.signal.throwIfAborted();
    const response: ReviewsResponse = await services.stores[task.store]
      .reviews({ ...known, country, cursor }, options)
      .catch(addEarlierCost(cost));
    const reviews = cleanReviews(response.reviews, response.language);
    cost = addCosts(cost, response.cost);
    // New reviews push the pages down. Only those that move to later pages are seen.
    if (page === 1) seen.newest = newestOf(reviews);
    seen.oldest = oldestOf(seen.oldest, reviews);
    const now = services.clock.now();
    const { reachedKnown } = await inSystem(services, (tx) =>
      recordPage(tx, feed, { reading, now, reviews }),
    );
    const end = reachedKnown ? 'known' : endOf(response, page);
    if (end !== 'more') {
      const exceeded = end === 'window' && known.syncedAt !== null;
      if (exceeded)
        services.log.warn(
          { ...feed },
          'more reviews were written between two readings than the store shows',
        );
      await inSystem(services, (tx) =>
        completeReviewSync(tx, feed, {
          reading,
          end,
          ...seen,
          exceeded,
          syncedAt: services.clock.now(),
        }),
      );
      return { requests: cost.requests };
    }
    cursor = response.next;
  }
}

/** Without a next page the reading ends, whatever the store says. */
function endOf({ end, next }: ReviewsResponse, page: number): ReviewsResponse['end'] {
  return end === 'more' && (next === null || page === maxReviewPages) ? 'window' : end;
}

function newestOf(reviews: readonly CleanReview[]): Date | null {
  const dates = datesOf(reviews);
  return dates.length === 0 ? null : new Date(Math.max(...dates));
}

function oldestOf(oldest: Date | null, reviews: readonly CleanReview[]): Date | null {
  const dates = datesOf(reviews);
  return dates.length === 0
    ? oldest
    : new Date(Math.min(...dates, oldest?.getTime() ?? Number.POSITIVE_INFINITY));
}

function datesOf(reviews: readonly CleanReview[]): number[] {
  return reviews.flatMap((review) => review.reviewedAt?.getTime() ?? []);
}
