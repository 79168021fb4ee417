import type { PageResponse } from '#domain/base/ports.ts';
import { readHistogram, readRatingsOfPage, required } from '../value-readers.ts';
import { field, numberOf } from './fields.ts';

/**
 * Rating, count and histogram of a details record; all are null for an app without ratings.
 * `undefined` unless all three are there and agree.
 */
export function readAllRatings(details: unknown) {
  const ratings = field(details, [51]) ?? null;
  if (ratings === null) return { rating: null, ratingCount: null, histogram: null };
  const [rating, count] = [0, 2].map((index) => numberOf(field(ratings, [index])));
  const read = readRatingsOfPage(rating, count, readStars(field(ratings, [1])));
  // A count of something else is next to them, and the fields may have moved by one.
  const isWhole = Object.values(read).every((fact) => typeof required(fact) !== 'undefined');
  return isWhole ? read : { rating: undefined, ratingCount: undefined, histogram: undefined };
}

/** One star first, at the indexes 1 to 5. */
function readStars(stars: unknown): PageResponse['histogram'] | undefined {
  if (stars === undefined || stars === null) return null;
  return readHistogram([1, 2, 3, 4, 5].map((index) => numberOf(field(stars, [index]))));
}
