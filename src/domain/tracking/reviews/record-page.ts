import type { Tx } from '#db/database.ts';
import {
  insertReviews,
  lockStoredReviews,
  updateEditedReviews,
  updateSameReviews,
  type ReviewFeed,
} from '#db/queries/reviews/review-readings.ts';
import type { CleanReview } from './clean-review.ts';
import { comparePage } from './compare-page.ts';

/** Records one page of a reading and returns whether it reached known reviews. Idempotent. */
export async function recordPage(
  tx: Tx,
  feed: ReviewFeed,
  page: { reading: string; now: Date; reviews: CleanReview[] },
): Promise<{ reachedKnown: boolean }> {
  const { reading, now, reviews } = page;
  const kept = await lockStoredReviews(
    tx,
    feed,
    reviews.map((review) => review.storeReviewId),
  );
  const { added, edited, same, reachedKnown } = comparePage(kept, reviews);
  if (same.length > 0) await updateSameReviews(tx, { reading, ...inColumns(same) });
  if (edited.length > 0) await updateEditedReviews(tx, { reading, now, ...inColumns(edited) });
  if (added.length > 0) await insertReviews(tx, feed, { reading, now, reviews: added });
  return { reachedKnown };
}

function inColumns(found: { id: number; review: CleanReview }[]): {
  ids: number[];
  reviews: CleanReview[];
} {
  return { ids: found.map(({ id }) => id), reviews: found.map(({ review }) => review) };
}
