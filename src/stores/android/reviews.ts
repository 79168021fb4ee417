import type { Cost, ReviewsAnswer, StoreRequestOptions } from '../../domain/ports.ts';
import { ask, type AskContext } from '../ask.ts';
import { badRequest, unreadable, withCost } from '../failures.ts';
import { playLanguage } from '../languages.ts';
import type { HostRoot } from '../urls.ts';
import { isToken } from './parse-search.ts';
import { parsePlayReviews, reviewsRpc } from './parse-reviews.ts';
import { callRpc } from './rpc.ts';

interface Query {
  storeAppId: string;
  country: string;
  cursor: string | null;
  knownRatingCount: number | null;
}

const newestFirst = 2;
const pageSize = 150;
/** Two in a hundred who rate also write, and only one language is shown: with fewer ratings nobody may well have. */
const silentRatings = 1_000;

/**
 * A page of up to 150 reviews. No payload for a cursor is the store showing no further back; no reviews at all of an
 * app with many ratings is not believed and thrown as unreadable, `soft-empty`.
 */
export async function readReviews(
  context: AskContext & { root: HostRoot },
  query: Query,
  options: StoreRequestOptions,
): Promise<ReviewsAnswer> {
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
  const question = callRpc(context, {
    kind: 'reviews',
    rpcId: reviewsRpc,
    argument,
    country,
    parse: parsePlayReviews,
  });
  const page = await ask(context, question, options, cost);
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
