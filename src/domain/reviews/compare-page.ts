import type { CleanReview } from './clean-review.ts';

/** A review as it stands in the table, as far as a new reading is compared with it. */
export interface KeptReview {
  id: number;
  storeReviewId: string;
  rating: number;
  title: string | null;
  body: string;
  reviewedAt: Date | null;
  /** No reading that broke off wrote it: whatever is older is known. */
  isSettled: boolean;
}

export interface PageComparison {
  added: CleanReview[];
  /** Another text or rating: the one before is kept as a version. */
  edited: { id: number; review: CleanReview }[];
  /** The same review; the developer's answer may be new. */
  same: { id: number; review: CleanReview }[];
  /** The page came down to a review that stands where it stood: everything older is known already. */
  reachedKnown: boolean;
}

/**
 * What a page says that is not known yet. A review that was edited has moved to the front and proves nothing about what
 * is older; nor does one that a broken-off reading wrote. What is older than what we have comes from a cache of the
 * store's and changes nothing.
 */
export function comparePage(
  kept: readonly KeptReview[],
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
      if (row.isSettled && !hasMoved(row, review)) result.reachedKnown = true;
    }
  }
  return result;
}

function isStale(row: KeptReview, review: CleanReview): boolean {
  return (
    row.reviewedAt !== null && review.reviewedAt !== null && review.reviewedAt < row.reviewedAt
  );
}

function hasMoved(row: KeptReview, review: CleanReview): boolean {
  return (
    row.reviewedAt !== null && review.reviewedAt !== null && review.reviewedAt > row.reviewedAt
  );
}

function isOtherText(row: KeptReview, review: CleanReview): boolean {
  return row.rating !== review.rating || row.title !== review.title || row.body !== review.body;
}
