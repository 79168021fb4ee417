import { randomUUID } from 'node:crypto';
import { findReviewFeed, settleReading, type ReviewFeed } from '../../db/queries/review-readings.ts';
import type { UtcDay } from '../../lib/dates.ts';
import { inSystem, type Services } from '../context.ts';
import type { ReviewsAnswer, StoreName, StoreRequestOptions } from '../ports.ts';
import { cleanReviews, type CleanReview } from './clean-review.ts';
import { recordPage } from './record-page.ts';

/** Apple shows ten pages and no more; what Google would show beyond that is not worth a day's requests. */
export const maxPages = 10;

export interface ReviewChore {
  store: StoreName;
  listingId: number | null;
  country: string;
}

/**
 * Reads a storefront's reviews, newest first, down to one that is known, and keeps each page as it comes. What is kept
 * counts as known only when the reading ended: one that was killed is begun again from the top and leaves no hole.
 * Throws StoreError when the store did not answer, after what whole pages said was kept.
 */
export async function syncReviews(services: Services, chore: ReviewChore, _day: UtcDay, options: StoreRequestOptions): Promise<{ requests: number }> {
  if (chore.listingId === null) throw new Error('a chore of reviews without a listing');
  const feed = { listingId: chore.listingId, country: chore.country };
  const known = await findReviewFeed(services.systemDb, feed);
  if (!known) throw new Error(`reviews of listing ${chore.listingId}, which is not there`);
  const reading = { id: randomUUID(), oldest: null as Date | null, requests: 0 };
  let cursor: string | null = null;
  for (let page = 1; page <= maxPages; page += 1) {
    options.signal.throwIfAborted();
    const answer: ReviewsAnswer = await services.stores[chore.store].reviews({ ...known, country: feed.country, cursor }, options);
    reading.requests += answer.cost.requests;
    const reviews = cleanReviews(answer.reviews, answer.language);
    reading.oldest = oldestOf(reading.oldest, reviews);
    const now = services.clock.now();
    const { reachedKnown } = await inSystem(services, (tx) => recordPage(tx, feed, { reading: reading.id, now, reviews }));
    cursor = answer.end === 'more' ? answer.next : null;
    const isCutShort = answer.end === 'window' || (answer.end === 'more' && (cursor === null || page === maxPages));
    if (!reachedKnown && cursor !== null && !isCutShort) continue;
    const hasGap = isCutShort && !reachedKnown;
    await endReading(services, feed, {
      reading: reading.id,
      reachedKnown,
      knownFrom: hasGap ? reading.oldest : null,
      exceeded: hasGap && known.syncedAt !== null,
    });
    break;
  }
  return { requests: reading.requests };
}

function endReading(
  services: Services,
  feed: ReviewFeed,
  end: { reading: string; knownFrom: Date | null; exceeded: boolean; reachedKnown: boolean },
): Promise<void> {
  const syncedAt = services.clock.now();
  if (end.exceeded) services.log.warn({ ...feed }, 'more reviews were written between two readings than the store shows');
  return inSystem(services, (tx) => settleReading(tx, feed, { ...end, syncedAt }));
}

function oldestOf(oldest: Date | null, reviews: readonly CleanReview[]): Date | null {
  let found = oldest;
  for (const { reviewedAt } of reviews) if (reviewedAt !== null && (found === null || reviewedAt < found)) found = reviewedAt;
  return found;
}
