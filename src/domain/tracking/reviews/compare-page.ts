import type { CleanReview } from './clean-review.ts';

/** The fields of a stored review that a new reading is compared with. */
export interface StoredReview {
  id: number;
  storeReviewId: string;
  rating: number;
  title: string | null;
  body: string;
  reviewedAt: Date | null;
  /** No interrupted reading wrote it, so everything older is known. */
  isConfirmed: boolean;
}

export interface PageComparison {
  added: CleanReview[];
  /** Another text or rating: the previous one is stored as a version. */
  edited: { id: number; review: CleanReview }[];
  /** The same review; the developer's reply may be new. */
  same: { id: number; review: CleanReview }[];
  /** The page reached a known review in its old position: everything older is known already. */
  reachedKnown: boolean;
}

/**
 * The new information of a page. An edited review has moved to the front and says nothing about
 * older ones; the same is true of a review that an interrupted reading wrote. A version older than
 * the stored one comes from a cache of the store and is ignored.
 */
export function comparePage(
  kept: readonly StoredReview[],
  page: readonly CleanReview[],
): PageComparison {
  const byId = new Map(kept.map((row) => [row.storeReviewId, row]));
  const result: PageComparison = { added: [], edited: [], same: [], reachedKnown: false };
  for (const review of page) {
    const row = byId.get(review.storeReviewId);
    if (!row) result.added.push(review);
    else if (isStale(row, review)) continue;
    else if (isOtherText(row, review)) result.edited.push({ id: row.id, review });
    else {
      result.same.push({ id: row.id, review });
      if (row.isConfirmed && !hasMoved(row, review)) result.reachedKnown = true;
    }
  }
  return result;
}

function isStale(row: StoredReview, review: CleanReview): boolean {
  return (
    row.reviewedAt !== null && review.reviewedAt !== null && review.reviewedAt < row.reviewedAt
  );
}

function hasMoved(row: StoredReview, review: CleanReview): boolean {
  return (
    row.reviewedAt !== null && review.reviewedAt !== null && review.reviewedAt > row.reviewedAt
  );
}

function isOtherText(row: StoredReview, review: CleanReview): boolean {
  return row.rating !== review.rating || row.title !== review.title || row.body !== review.body;
}
