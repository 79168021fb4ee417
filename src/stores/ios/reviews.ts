import {
  withCost,
  type Cost,
  type ReviewsResponse,
  type StoreRequestOptions,
} from '#domain/base/ports.ts';
import { playLanguage } from '../languages.ts';
import { requestWithRetry, type StoreRequestContext } from '../request-with-retry.ts';
import { badRequest, unreadable } from '../store-errors.ts';
import type { HostRoot } from '../urls.ts';
import { parseItunesReviews, parseItunesReviewsXml, type ItunesReviews } from './parse-reviews.ts';
import { iosProfile } from './profile.ts';
import { readReply } from './results.ts';
import { reviewsUrl, type ReviewsForm } from './urls.ts';

interface Query {
  storeAppId: string;
  country: string;
  cursor: string | null;
  knownRatingCount: number | null;
  wasEmpty?: boolean;
}

const pageSize = iosProfile.reviewsPerPage;
const lastPage = 10;
/**
 * At least one in fifty of the people who rate also writes. With more ratings, an empty feed is not
 * plausible.
 */
const silentRatings = 100;
const parsers: Record<ReviewsForm, (body: string) => ItunesReviews> = {
  json: parseItunesReviews,
  xml: parseItunesReviewsXml,
};
/**
 * The user agent of Apple's own program. Browsers often get an empty feed where this one gets the
 * reviews.
 */
const itunesAgent = 'iTunes/12.11 (Macintosh; OS X 10.15.7) AppleWebKit/600.1';

/**
 * A page of 50 reviews of a storefront, newest first; the store shows at most ten pages. An empty
 * page is requested once more in the other form, unless the app has no ratings. A feed that was
 * empty in both forms before is requested only in the form of Apple's program, and its result
 * counts.
 * Throws `unreadable`, marker `soft-empty`, when a page that should have reviews is empty in both
 * forms, or names a later page as the feed's last; `bad_request` for an unknown cursor.
 */
export async function readReviews(
  context: StoreRequestContext & { root: HostRoot },
  query: Query,
  options: StoreRequestOptions,
): Promise<ReviewsResponse> {
  const { page, named, ...cursor } = readCursor(query.cursor);
  const isQuiet =
    page === 1 && query.wasEmpty === true && (query.knownRatingCount ?? 0) <= silentRatings;
  const form = isQuiet ? 'xml' : cursor.form;
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const readForm = (asked: ReviewsForm) => {
    const headers = { accept: '*/*', ...(asked === 'xml' ? { 'user-agent': itunesAgent } : {}) };
    const url = reviewsUrl(context.root, { ...query, page, form: asked });
    return requestWithRetry(
      context,
      { kind: 'reviews', url, headers, consentHeaders: null, read: readReply(parsers[asked]) },
      options,
      cost,
    );
  };
  let found = await readForm(form);
  let readAs = form;
  let last = Math.max(named, found.lastPage ?? 0);
  const isPlausible = isQuiet || (page === 1 && query.knownRatingCount === 0);
  if (found.reviews.length === 0 && (last > page || !isPlausible)) {
    readAs = form === 'json' ? 'xml' : 'json';
    found = await readForm(readAs);
    last = Math.max(last, found.lastPage ?? 0);
    if (found.reviews.length === 0 && isUnconfirmed(query, { page, named, last })) {
      throw withCost(
        unreadable('ios', 'soft-empty', 'no reviews where there should be some'),
        cost,
      );
    }
  }
  const more = found.reviews.length > 0 && (found.entries >= pageSize || last > page);
  const end = !more ? 'exhausted' : page >= lastPage ? 'window' : 'more';
  const next = end === 'more' ? writeCursor({ page: page + 1, form: readAs, named: last }) : null;
  return { reviews: found.reviews, next, end, language: playLanguage(query.country), cost };
}

/**
 * An empty page after one with reviews is the end only if the feed had named an earlier page as its
 * last. Otherwise the remaining reviews would never be read. An empty first page must not name a
 * later one.
 */
function isUnconfirmed(
  { knownRatingCount }: Query,
  { page, named, last }: { page: number; named: number; last: number },
): boolean {
  return page === 1
    ? last > 1 || (knownRatingCount ?? 0) > silentRatings
    : named === 0 || last >= page;
}

interface Cursor {
  page: number;
  /** The form that returned the page before; the other one may be empty for a while. */
  form: ReviewsForm;
  /** The last page that the feed has named so far; 0 when it named none. */
  named: number;
}

function writeCursor({ page, form, named }: Cursor): string {
  return `${form === 'json' ? '' : 'xml-'}${page}${named === 0 ? '' : `-of-${named}`}`;
}

function readCursor(cursor: string | null): Cursor {
  if (cursor === null) return { page: 1, form: 'json', named: 0 };
  const match = /^(xml-)?([2-9]|10)(?:-of-(\d{1,3}))?$/.exec(cursor);
  if (match === null) throw badRequest('ios', 'cursor', 'a cursor this store could have given');
  return {
    page: Number(match[2]),
    form: match[1] === undefined ? 'json' : 'xml',
    named: Number(match[3] ?? 0),
  };
}
