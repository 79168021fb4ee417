import {
  withCost,
  type Cost,
  type ReviewsResponse,
  type StoreRequestOptions,
} from '#domain/base/ports.ts';
import { requestWithRetry, type StoreRequestContext } from '../request-with-retry.ts';
import { badRequest, unreadable } from '../store-errors.ts';
import { playLanguage } from '../languages.ts';
import type { HostRoot } from '../urls.ts';
import { isToken } from './parse-search.ts';
import { parsePlayReviews, reviewsRpc } from './parse-reviews.ts';
import { androidProfile } from './profile.ts';
import { callRpc } from './rpc.ts';

interface Query {
  storeAppId: string;
  country: string;
  cursor: string | null;
  knownRatingCount: number | null;
}

const newestFirst = 2;
const pageSize = androidProfile.reviewsPerPage;
/**
 * About two percent of the people who rate also write, and the store shows only one language. With
 * fewer ratings there may be no reviews.
 */
const silentRatings = 1_000;

/**
 * A page of up to 150 reviews. A cursor without a payload means that the store shows no further
 * back. No reviews at all of an app with many ratings are not plausible: `unreadable`, marker
 * `soft-empty`.
 */
export async function readReviews(
  context: StoreRequestContext & { root: HostRoot },
  query: Query,
  options: StoreRequestOptions,
): Promise<ReviewsResponse> {
  const { storeAppId, country, cursor } = query;
  if (cursor !== null && !isToken(cursor))
    throw badRequest('android', 'cursor', 'a cursor this store could have given');
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const argument = [
    null,
    null,
    [2, newestFirst, [pageSize, null, cursor], null, []],
    [storeAppId, 7],
  ];
  const request = callRpc(context, {
    kind: 'reviews',
    rpcId: reviewsRpc,
    argument,
    country,
    parse: parsePlayReviews,
  });
  const page = await requestWithRetry(context, request, options, cost);
  const { reviews, token } = page ?? { reviews: [], token: null };
  if (cursor === null && reviews.length === 0 && (query.knownRatingCount ?? 0) > silentRatings) {
    throw withCost(
      unreadable('android', 'soft-empty', 'no reviews of an app that many have rated'),
      cost,
    );
  }
  const end = page === null && cursor !== null ? 'window' : token === null ? 'exhausted' : 'more';
  return { reviews, next: token, end, language: playLanguage(country), cost };
}
