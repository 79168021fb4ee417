import type { AppCard, StoreReview } from '#domain/base/ports.ts';
import { parsePlayChart } from '#stores/android/parse-chart.ts';
import { parsePlayCluster } from '#stores/android/parse-cluster.ts';
import { parsePlayContinuation } from '#stores/android/parse-continuation.ts';
import { parsePlayDetails } from '#stores/android/parse-details.ts';
import { parsePlayHints } from '#stores/android/parse-hints.ts';
import { parsePlayPage } from '#stores/android/parse-page.ts';
import { parsePlayReviews } from '#stores/android/parse-reviews.ts';
import { parsePlaySearch } from '#stores/android/parse-search.ts';
import { parseItunesChart } from '#stores/ios/parse-chart.ts';
import { parseItunesHints } from '#stores/ios/parse-hints.ts';
import { parseItunesLookup } from '#stores/ios/parse-lookup.ts';
import { parseAppPage } from '#stores/ios/parse-page.ts';
import { parseItunesReviews, parseItunesReviewsXml } from '#stores/ios/parse-reviews.ts';
import { parseItunesSearch } from '#stores/ios/parse-search.ts';
import { parseWebSearch } from '#stores/ios/parse-web-search.ts';
import type { Facts, Reading } from './reading.ts';

export interface ReadingQuery {
  storeAppId: string;
  country: string;
  phrase: string;
  category: string | null;
}

type Read = (body: string, query: ReadingQuery) => Reading;

function readingOf(items: Facts[], values: Record<string, unknown> = {}, unread: string[] = []) {
  return { head: { key: 'head', values, unread }, items };
}

function cardFacts({ storeAppId, unread, ...values }: AppCard): Facts {
  return { key: storeAppId, values, unread };
}

const reviewFacts = ({ storeReviewId, ...values }: StoreReview): Facts => ({
  key: storeReviewId,
  values: { ...values },
  unread: [],
});

const termFacts = (key: string): Facts => ({ key, values: {}, unread: [] });

/** Every parser, with its result in one form. */
export const readings = {
  itunesSearch: (body) => {
    const { items, returned } = parseItunesSearch(body, { device: 'iphone', limit: 200 });
    return readingOf(items.map(cardFacts), { returned });
  },
  itunesLookup: (body, { country }) => {
    const found = parseItunesLookup(body, { country, limit: 200 });
    return readingOf([...found.values()].map(cardFacts));
  },
  itunesChart: (body, { category }) =>
    readingOf(parseItunesChart(body, { limit: 200, category }).map(cardFacts)),
  itunesHints: (body) => readingOf(parseItunesHints(body).map(termFacts)),
  itunesReviews: (body) => {
    const { reviews, ...head } = parseItunesReviews(body);
    return readingOf(reviews.map(reviewFacts), head);
  },
  itunesReviewsXml: (body) => {
    const { reviews, ...head } = parseItunesReviewsXml(body);
    return readingOf(reviews.map(reviewFacts), head);
  },
  applePage: (body, { storeAppId }) => {
    const { similar, unread, ...head } = parseAppPage(body, storeAppId);
    return readingOf(similar.map(cardFacts), head, unread);
  },
  webSearch: (body, { phrase, country }) => {
    const { results, ...head } = parseWebSearch(body, { phrase, country, device: 'iphone' });
    const items = results.map(({ storeAppId, card }) =>
      card === null ? termFacts(storeAppId) : cardFacts(card),
    );
    return readingOf(items, head);
  },
  playSearch: (body) => {
    const { items, token, unread } = parsePlaySearch(body);
    return readingOf(items.map(cardFacts), { token }, unread);
  },
  playContinuation: (body) => {
    const page = parsePlayContinuation(body);
    return readingOf((page?.items ?? []).map(cardFacts), { token: page?.token ?? null });
  },
  playDetails: (body, query) => readingOf([cardFacts(parsePlayDetails(body, query))]),
  playPage: (body, query) => {
    const { similar, unread, ...head } = parsePlayPage(body, query);
    return readingOf(similar.map(cardFacts), head, unread);
  },
  playCluster: (body) => {
    const { items, token } = parsePlayCluster(body);
    return readingOf(items.map(cardFacts), { token });
  },
  playReviews: (body) => {
    const page = parsePlayReviews(body);
    return readingOf((page?.reviews ?? []).map(reviewFacts), { token: page?.token ?? null });
  },
  playChart: (body) => readingOf((parsePlayChart(body) ?? []).map(cardFacts)),
  playHints: (body) => readingOf(parsePlayHints(body).map(termFacts)),
} satisfies Record<string, Read>;

export type ParserName = keyof typeof readings;
