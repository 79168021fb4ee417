import { utcDayOf } from '#lib/dates.ts';
import type { ResponseContext } from '../http/response-context.ts';
import { reviewsOf, type SimReview } from '../world/reviews.ts';
import { readListToken, writeListToken } from './list-cursor.ts';
import { readStorefront } from './storefront.ts';
import { sparse } from './sparse.ts';

const maxPerPage = 150;
const helpful = 1;
const byRating = 3;

/**
 * `UsvDTd`, or its newer name `oCPfdb` with one cursor less before it: a page of reviews and the
 * token of the next one. Null for an app that is not offered and for an unknown token; `[]` for an
 * app without reviews.
 */
export function listReviews(argument: unknown, context: ResponseContext): string | null {
  const query = readReviewsQuery(argument);
  if (query === null) return null;
  const cursor = query.token === null ? null : readListToken(query.token);
  const { country } = readStorefront(context);
  if (
    query.token !== null &&
    (cursor?.list !== 'reviews' || cursor.about !== query.storeAppId || cursor.country !== country)
  )
    return null;
  const at = cursor === null ? context.now : new Date(cursor.at);
  const app = context.world.findApp('android', query.storeAppId, country, utcDayOf(at));
  if (app === null || context.isGone(query.storeAppId)) return null;
  const empty = context.mutation === 'soft-empty' || context.mutation === 'no-results';
  const reviews = empty ? [] : sorted(reviewsOf(context.world, app, country, at), query.sort);
  if (reviews.length === 0) return '[]';
  const offset = cursor?.offset ?? 0;
  const page = reviews.slice(
    offset,
    offset + (context.mutation === 'shorter' ? Math.ceil(query.size / 8) : query.size),
  );
  const rest = {
    list: 'reviews',
    about: query.storeAppId,
    country,
    at: at.toISOString(),
    offset: offset + page.length,
  } as const;
  const rows = page.map(toRow);
  const token = rest.offset < reviews.length ? [null, writeListToken(rest)] : null;
  return JSON.stringify(
    context.mutation === 'index-moved'
      ? [null, rows.map((row) => [null, ...row]), token]
      : [rows, token],
  );
}

interface ReviewsQuery {
  storeAppId: string;
  sort: unknown;
  size: number;
  token: unknown;
}

/** `[…nulls, [2, sort, [size, null, token], …], [app, 7]]` */
function readReviewsQuery(argument: unknown): ReviewsQuery | null {
  const [request, app] = Array.isArray(argument)
    ? argument.filter((part) => Array.isArray(part))
    : [];
  const [, sort, page] = (request ?? []) as unknown[];
  const storeAppId: unknown = app?.[0];
  if (typeof storeAppId !== 'string' || !Array.isArray(page)) return null;
  const [size, , token] = page as unknown[];
  return {
    storeAppId,
    sort,
    size: Math.max(1, Math.min(maxPerPage, Number(size) || maxPerPage)),
    token: token ?? null,
  };
}

function sorted(reviews: SimReview[], sort: unknown): SimReview[] {
  if (sort === helpful) return [...reviews].sort((a, b) => b.votes.up - a.votes.up);
  return sort === byRating ? [...reviews].sort((a, b) => b.rating - a.rating) : reviews;
}

/** No title, seconds and nanoseconds, the developer's reply at 7 (recorded 2026-07). */
function toRow(review: SimReview): unknown[] {
  const { storeReviewId, author, rating, body, at, votes, reply, version } = review;
  return sparse({
    0: storeReviewId,
    1: [author, null],
    2: rating,
    4: body,
    5: timeOf(at),
    6: votes.up,
    7: reply === null ? null : ['The developer', reply.text, timeOf(reply.at)],
    10: version === '' ? null : version,
    16: 1,
  });
}

function timeOf(at: Date): [number, number] {
  const ms = at.getTime();
  return [Math.floor(ms / 1000), (ms % 1000) * 1_000_000];
}
