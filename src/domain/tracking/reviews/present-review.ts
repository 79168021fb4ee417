import type { z } from 'zod';
import { editableOfReview, type review as reviewShape } from '#contract/reviews.ts';
import type { ReviewRow } from '#db/queries/reviews/reviews.ts';
import { etagOf } from '#domain/base/assert-unchanged.ts';

export type ReviewRecord = z.input<typeof reviewShape>;

export function presentReview(row: ReviewRow, appId: number): ReviewRecord {
  const marks = { tags: row.tags ?? [], note: row.note, read: row.readAt !== null };
  return {
    id: row.id,
    appId,
    storeReviewId: row.storeReviewId,
    author: row.author,
    rating: row.rating,
    title: row.title,
    body: row.body,
    version: row.version,
    country: row.country,
    language: row.language,
    reviewedAt: row.reviewedAt?.toISOString() ?? null,
    firstSeenAt: row.firstSeenAt?.toISOString() ?? null,
    editedAt: row.editedAt?.toISOString() ?? null,
    reply: row.reply === null ? null : { text: row.reply, at: row.replyAt?.toISOString() ?? null },
    ...marks,
    etag: etagOf(marks, editableOfReview),
  };
}

/** Two decimals; null for no ratings. `stars` are the counts of 1 to 5 stars. */
export function averageOf(stars: readonly number[]): number | null {
  const count = countOf(stars);
  const sum = stars.reduce((total, votes, index) => total + votes * (index + 1), 0);
  return count === 0 ? null : Math.round((sum / count) * 100) / 100;
}

export function countOf(stars: readonly number[]): number {
  return stars.reduce((total, votes) => total + votes, 0);
}
