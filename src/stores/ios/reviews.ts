import type { Cost, ReviewsAnswer, StoreRequestOptions } from '../../domain/ports.ts';
import { ask, type AskContext } from '../ask.ts';
import { badRequest, unreadable, withCost } from '../failures.ts';
import type { HostRoot } from '../urls.ts';
import { parseItunesReviews, parseItunesReviewsXml, type ItunesReviews } from './parse-reviews.ts';
import { readReply } from './results.ts';
import { reviewsUrl, type ReviewsForm } from './urls.ts';

interface Query {
  storeAppId: string;
  country: string;
  cursor: string | null;
  knownRatingCount: number | null;
  wasEmpty?: boolean;
}

const pageSize = 50;
const lastPage = 10;
/** One in fifty who rate also writes, at the least: with more ratings nobody having written is not believed. */
const silentRatings = 100;
const parsers: Record<ReviewsForm, (body: string) => ItunesReviews> = {
  json: parseItunesReviews,
  xml: parseItunesReviewsXml,
};
/** The form that Apple's own program asks for; browsers are often given an empty feed where it gets the reviews. */
const itunesAgent = 'iTunes/12.11 (Macintosh; OS X 10.15.7) AppleWebKit/600.1';

/**
 * A page of 50 reviews of a storefront, newest first; ten pages are all the store ever shows. An empty page is asked for
 * once more in the other form, unless nobody is known to have rated; a feed that was empty in both is asked for in the one that
 * browsers' silence does not touch, and believed. Throws `unreadable`, marker `soft-empty`, when a
 * page that should have reviews is empty in both; `bad_request` for a cursor never given.
 */
export async function readReviews(
  context: AskContext & { root: HostRoot },
  query: Query,
  options: StoreRequestOptions,
): Promise<ReviewsAnswer> {
  const { page, named, ...cursor } = readCursor(query.cursor);
  const isQuiet =
    page === 1 && query.wasEmpty === true && (query.knownRatingCount ?? 0) <= silentRatings;
  const form = isQuiet ? 'xml' : cursor.form;
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const readForm = (asked: ReviewsForm) => {
    const headers = { accept: '*/*', ...(asked === 'xml' ? { 'user-agent': itunesAgent } : {}) };
    const url = reviewsUrl(context.root, { ...query, page, form: asked });
    return ask(
      context,
      { kind: 'reviews', url, headers, consentHeaders: null, read: readReply(parsers[asked]) },
      options,
      cost,
    );
  };
  let found = await readForm(form);
  let told = form;
  if (found.reviews.length === 0 && !isQuiet && (page > 1 || query.knownRatingCount !== 0)) {
    told = form === 'json' ? 'xml' : 'json';
    found = await readForm(told);
    if (found.reviews.length === 0 && isDoubted(query, page, named)) {
      throw withCost(
        unreadable('ios', 'soft-empty', 'no reviews where there should be some'),
        cost,
      );
    }
  }
  const last = Math.max(named, found.lastPage ?? 0);
  const more = found.reviews.length > 0 && (found.entries >= pageSize || last > page);
  const end = !more ? 'exhausted' : page >= lastPage ? 'window' : 'more';
  const next = end === 'more' ? writeCursor({ page: page + 1, form: told, named: last }) : null;
  return { reviews: found.reviews, next, end, language: null, cost };
}

/**
 * An empty page after one of reviews is the end only where the feed had named an earlier one as its last: believed
 * otherwise, the rest would never be read.
 */
function isDoubted({ knownRatingCount }: Query, page: number, named: number): boolean {
  return page === 1 ? (knownRatingCount ?? 0) > silentRatings : named === 0 || named >= page;
}

interface Cursor {
  page: number;
  /** In which the page before was told: the other one may be silent for a while. */
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
