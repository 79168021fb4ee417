import type { StoreReview } from '#domain/base/ports.ts';
import { unreadable } from '../store-errors.ts';
import { readCount, readText, required, toInstant } from '../value-readers.ts';
import { expectRead, field, firstSeconds } from './fields.ts';
import { readRpcPayload } from './frames.ts';
import { readTokenOf } from './parse-search.ts';

/** Today's pages call the same response `oCPfdb`. */
export const reviewsRpc = 'UsvDTd';
const pageRpc = 'oCPfdb';

export interface PlayReviews {
  /** In store order, each once. */
  reviews: StoreReview[];
  token: string | null;
}

/**
 * Reads a page of reviews; null without a payload: an app without reviews, or a rejected token.
 * Checked on the recording of 2026-07 (translate: 150 reviews and a token). Throws StoreError
 * `refused` or `unreadable`.
 */
export function parsePlayReviews(body: string): PlayReviews | null {
  const payload = readRpcPayload(body, reviewsRpc, pageRpc);
  if (payload === null) return null;
  if (!Array.isArray(payload))
    throw unreadable('android', 'reviews', 'a payload that is not a list');
  // An empty payload means that there are no reviews. A payload that does not begin with a list
  // means that the layout has moved.
  const isEmpty = payload.every((part) => part === null);
  const list = isEmpty ? [] : field(payload, [0]);
  if (!Array.isArray(list)) throw unreadable('android', 'reviews', 'no list of reviews');
  const byId = new Map<string, StoreReview>();
  for (const entry of list) {
    const review = readReview(entry);
    if (!byId.has(review.storeReviewId)) byId.set(review.storeReviewId, review);
  }
  const token = readTokenOf(payload.slice(1), [0, 1]);
  if (token !== null && list.length === 0)
    throw unreadable('android', 'reviews', 'a token after no reviews');
  return { reviews: [...byId.values()], token };
}

function readReview(entry: unknown): StoreReview {
  const storeReviewId = readText(field(entry, [0]), 200);
  if (typeof storeReviewId !== 'string')
    throw unreadable('android', 'review-id', 'a review without its id');
  const rating = field(entry, [2]);
  if (typeof rating !== 'number' || ![1, 2, 3, 4, 5].includes(rating))
    throw unreadable('android', 'stars', 'stars that are not 1 to 5');
  return {
    storeReviewId,
    author: expectRead(required(readText(field(entry, [1, 0]), 500)), 'author'),
    rating,
    title: null,
    body: expectRead(readText(field(entry, [4]), 50_000), 'review') ?? '',
    version: expectRead(readText(field(entry, [10]), 100), 'version'),
    reviewedAt: readTime(field(entry, [5])),
    reply: readReply(field(entry, [7])),
  };
}

/** `[developer, text, [seconds, nanoseconds]]` */
function readReply(reply: unknown): StoreReview['reply'] {
  if (reply === undefined || reply === null) return null;
  const text = expectRead(required(readText(field(reply, [1]), 50_000)), 'reply');
  return { text, at: readTime(field(reply, [2])) };
}

/** Seconds and nanoseconds; the latter are whole milliseconds, and absent when they are zero. */
function readTime(time: unknown): string {
  const count = required(readCount(field(time, [0])));
  const isTime = count !== undefined && count >= firstSeconds;
  const seconds = expectRead(isTime ? count : undefined, 'seconds');
  const nanoseconds = expectRead(readCount(field(time, [1])), 'nanoseconds') ?? 0;
  return expectRead(toInstant(seconds * 1000 + Math.floor(nanoseconds / 1_000_000)), 'time');
}
