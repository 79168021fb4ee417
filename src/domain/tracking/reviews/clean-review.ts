import { cleanLine, cleanText } from '../listings/clean-listing.ts';
import type { StoreReview } from '#domain/base/ports.ts';
import { detectLanguage } from './detect-language.ts';

/** A review as it is stored. Absent facts are null; an empty body was empty in the store. */
export interface CleanReview {
  storeReviewId: string;
  author: string | null;
  rating: number;
  title: string | null;
  body: string;
  version: string | null;
  language: string | null;
  reviewedAt: Date | null;
  reply: string | null;
  replyAt: Date | null;
}

/**
 * Untrusted text, bounded and made valid for PostgreSQL and for search (NFC). The first of
 * duplicate ids wins; a review without an id is dropped.
 */
export function cleanReviews(
  reviews: readonly StoreReview[],
  storefrontLanguage: string | null,
): CleanReview[] {
  const byId = new Map<string, CleanReview>();
  for (const review of reviews) {
    const storeReviewId = cleanLine(review.storeReviewId, 200);
    if (storeReviewId === null || byId.has(storeReviewId)) continue;
    byId.set(storeReviewId, cleanReview(review, storeReviewId, storefrontLanguage));
  }
  return [...byId.values()];
}

function cleanReview(
  review: StoreReview,
  storeReviewId: string,
  storefrontLanguage: string | null,
): CleanReview {
  const title = cleanLine(review.title, 500)?.normalize('NFC') ?? null;
  const body = cleanText(review.body, 10_000)?.normalize('NFC') ?? '';
  const reply = cleanText(review.reply?.text ?? null, 10_000);
  return {
    storeReviewId,
    author: cleanLine(review.author, 200),
    rating: review.rating,
    title,
    body,
    version: cleanLine(review.version, 100),
    language: detectLanguage(`${title ?? ''}\n${body}`, storefrontLanguage),
    reviewedAt: toInstant(review.reviewedAt),
    reply,
    replyAt: reply === null ? null : toInstant(review.reply?.at ?? null),
  };
}

function toInstant(text: string | null): Date | null {
  const ms = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? null : new Date(ms);
}
