import { randomUUID } from 'node:crypto';
import { findReviewFeed, settleReading } from '../../db/queries/review-readings.ts';
import type { UtcDay } from '../../lib/dates.ts';
import { inSystem, type Services } from '../context.ts';
import type { ReviewsAnswer, StoreName, StoreRequestOptions } from '../ports.ts';
import { cleanReviews, type CleanReview } from './clean-review.ts';
import { recordPage } from './record-page.ts';

/** Apple shows ten pages and no more; what Google would show beyond that is not worth a day's requests. */
const maxPages = 10;

export interface ReviewChore {
  store: StoreName;
  listingId: number | null;
  country: string;
}

/**
 * Reads a storefront's reviews, newest first, down to one that is known, and keeps each page as it comes. What is kept
 * counts as known only when the reading ended: one that was killed is begun again from the top and leaves no hole.
 * Throws StoreError when the store did not answer; whole pages that came before are kept.
 */
export async function syncReviews(
  services: Services,
  chore: ReviewChore,
  _day: UtcDay,
  options: StoreRequestOptions,
): Promise<{ requests: number }> {
  const { listingId, country } = chore;
  const known =
    listingId === null
      ? undefined
      : await findReviewFeed(services.systemDb, { listingId, country });
  if (listingId === null || !known)
    throw new Error(`a reading of reviews without a listing: ${listingId}`);
  const feed = { listingId, country };
  const reading = randomUUID();
  const seen = { requests: 0, newest: null as Date | null, oldest: null as Date | null };
  let cursor: string | null = null;
  for (let page = 1; ; page += 1) {
    options.signal.throwIfAborted();
    const answer: ReviewsAnswer = await services.stores[chore.store].reviews(
      { ...known, country, cursor },
      options,
    );
    const reviews = cleanReviews(answer.reviews, answer.language);
    seen.requests += answer.cost.requests;
    // What is written from now on pushes the pages down: of that only what slips onto later ones is seen.
    if (page === 1) seen.newest = newestOf(reviews);
    seen.oldest = oldestOf(seen.oldest, reviews);
    const now = services.clock.now();
    const { reachedKnown } = await inSystem(services, (tx) =>
      recordPage(tx, feed, { reading, now, reviews }),
    );
    const end = reachedKnown ? 'known' : endOf(answer, page);
    if (end !== 'more') {
      const exceeded = end === 'window' && known.syncedAt !== null;
      if (exceeded)
        services.log.warn(
          { ...feed },
          'more reviews were written between two readings than the store shows',
        );
      await inSystem(services, (tx) =>
        settleReading(tx, feed, {
          reading,
          end,
          ...seen,
          exceeded,
          syncedAt: services.clock.now(),
        }),
      );
      return { requests: seen.requests };
    }
    cursor = answer.next;
  }
}

/** Without a next page there is no more to be had, whatever the store says. */
function endOf({ end, next }: ReviewsAnswer, page: number): ReviewsAnswer['end'] {
  return end === 'more' && (next === null || page === maxPages) ? 'window' : end;
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
