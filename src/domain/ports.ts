/**
 * Words of this house
 *
 * store      `ios` or `android`
 * country    two lowercase letters; belongs to the keyword, not to the app
 * listing    one app of one store, whoever tracks it
 * market     (store, phrase, country): what a search is spent on, once a day
 * keyword    an app of a workspace followed in a market, with its own depth
 * position   1-based place in the results, or null: checked and not found within `depth`
 * depth      places really examined
 * gap        a market-day without an answer, with the reason why
 * grant      permission to send one request to a store through one egress endpoint
 * chore      store work of the day besides rank checks and refreshes: a review feed, a chart, an app page, hints
 */
import type { Clock } from '../lib/clock.ts';
import type { StoreName } from '../lib/store-name.ts';

export { storeNames, type StoreName } from '../lib/store-name.ts';
export type { Clock };

/** An app as it stands in a list of results. Ratings are null where the store shows none. */
export interface AppCard {
  storeAppId: string;
  bundleId: string | null;
  name: string;
  developer: string | null;
  iconUrl: string | null;
  /** 0–5 */
  rating: number | null;
  ratingCount: number | null;
}

/** A listing as the store shows it in one country. Absent facts are null, never 0 or ''. */
export interface AppListing extends AppCard {
  subtitle: string | null;
  description: string | null;
  summary: string | null;
  storeUrl: string;
  categoryId: string | null;
  category: string | null;
  /** In millionths of the currency's unit, so that no price is ever a fraction. */
  priceMicros: number | null;
  currency: string | null;
  version: string | null;
  releaseNotes: string | null;
  releasedAt: string | null;
  updatedAt: string | null;
  contentRating: string | null;
  sizeBytes: bigint | null;
  minimumOsVersion: string | null;
  languages: string[];
  screenshotUrls: string[];
  developerId: string | null;
  developerUrl: string | null;
  inAppPurchases: boolean | null;
  /** Exact installs; Android only. */
  installs: bigint | null;
}

/** What asking a store really took: every attempt counts. */
export interface Cost {
  requests: number;
  bytes: number;
  ms: number;
}

/**
 * `depth`: as many places as were asked for were seen.
 * `exhausted`: the store says there are no more, so "not within the asked depth" is true.
 * `truncated`: the store stopped early; only `depthReached` places are known.
 */
export type SearchEnd = 'depth' | 'exhausted' | 'truncated';

export interface SearchAnswer {
  /** In store order, each id once; position = index + 1. Never more than the depth asked for. */
  items: AppCard[];
  depthRequested: number;
  depthReached: number;
  end: SearchEnd;
  provider: string;
  language: string | null;
  cost: Cost;
}

export interface ListingsAnswer {
  found: AppListing[];
  /** Asked for and not offered in this country. */
  missing: string[];
  language: string | null;
  cost: Cost;
}

/** A written review of one storefront. Edits keep the id. */
export interface StoreReview {
  storeReviewId: string;
  author: string | null;
  /** 1–5 */
  rating: number;
  /** Android reviews have none. */
  title: string | null;
  body: string;
  version: string | null;
  /** When it was written or last edited, as the store says; null where it does not. ISO instant. */
  reviewedAt: string | null;
  /** The developer's public answer. */
  reply: { text: string; at: string | null } | null;
}

/**
 * One page of reviews, newest first. `end`: `more` there is another page; `exhausted` the store says there are no more;
 * `window` the store shows no further back (Apple: 500). An empty first page that nothing corroborates is thrown as
 * unreadable with marker `soft-empty`, never answered.
 */
export interface ReviewsAnswer {
  reviews: StoreReview[];
  next: string | null;
  end: 'more' | 'exhausted' | 'window';
  language: string | null;
  cost: Cost;
}

export const chartNames = ['free', 'paid', 'grossing'] as const;
export type ChartName = (typeof chartNames)[number];

/** A top chart: place = index + 1; `depthReached` entries were returned, which is as far as anything is known. */
export interface ChartAnswer {
  items: AppCard[];
  depthReached: number;
  cost: Cost;
}

/** What the store offers while somebody types; index + 1 is the place. An answer, even when empty, is what the store said. */
export interface HintsAnswer {
  terms: string[];
  cost: Cost;
}

/** What only the listing's page shows. Null: the page does not show it. */
export interface PageAnswer {
  subtitle: string | null;
  rating: number | null;
  ratingCount: number | null;
  /** Counts of 1, 2, 3, 4 and 5 stars. */
  histogram: [number, number, number, number, number] | null;
  similar: AppCard[];
  cost: Cost;
}

export interface SimilarAnswer {
  items: AppCard[];
  cost: Cost;
}

export interface StoreRequestOptions {
  signal: AbortSignal;
  /** Interactive work may wait less long for a grant than the run. */
  lane: 'interactive' | 'run';
}

export const choreKinds = ['reviews', 'chart', 'page', 'hints'] as const;
export type ChoreKind = (typeof choreKinds)[number];

/** One store. Every method throws StoreError when the store did not answer; an empty answer is an answer. */
export interface Store {
  readonly name: StoreName;
  search(query: { phrase: string; country: string; depth: number }, options: StoreRequestOptions): Promise<SearchAnswer>;
  /** iOS asks for up to 200 apps in a request; Android for one. */
  listings(query: { storeAppIds: string[]; country: string }, options: StoreRequestOptions): Promise<ListingsAnswer>;
  /**
   * A page of a storefront's reviews, newest first; `cursor` is the `next` of the page before. `knownRatingCount`, the
   * listing's rating count, is what an empty first page is doubted against.
   */
  reviews(
    query: { storeAppId: string; country: string; cursor: string | null; knownRatingCount: number | null },
    options: StoreRequestOptions,
  ): Promise<ReviewsAnswer>;
  /** `category` is the store's own id, null for all apps. */
  chart(query: { chart: ChartName; category: string | null; country: string; limit: number }, options: StoreRequestOptions): Promise<ChartAnswer>;
  hints(query: { prefix: string; country: string }, options: StoreRequestOptions): Promise<HintsAnswer>;
  /** The listing's page: subtitle, histogram, similar apps. */
  page(query: { storeAppId: string; country: string }, options: StoreRequestOptions): Promise<PageAnswer>;
  similar(query: { storeAppId: string; country: string }, options: StoreRequestOptions): Promise<SimilarAnswer>;
  /** Requests a day's reading of one chore of this kind usually takes, before anything is learned. */
  usualRequests(kind: ChoreKind): number;
  /** Reads a pasted store address; null when it is not one of this store. */
  readUrl(url: string): { storeAppId: string; country: string | null } | null;
  /** True for an id this store could have given. */
  isStoreAppId(text: string): boolean;
  /** The address of the listing's page for people. */
  pageUrl(storeAppId: string, country: string): string;
}

export type Stores = Record<StoreName, Store>;

/**
 * refused      the store turned this address away (429, 403, captcha, consent): another try later, no attempt used up
 * unreadable   an answer came that is not what this parser knows: nothing is believed
 * unavailable  5xx, timeout, network, an oversized body
 * not_offered  the country or id is not served by this store
 * bad_request  our own question was wrong
 */
export type StoreFailure = 'refused' | 'unreadable' | 'unavailable' | 'not_offered' | 'bad_request';

export class StoreError extends Error {
  readonly store: StoreName;
  readonly failure: StoreFailure;
  /** A short stable marker, such as `429`, `captcha`, `timeout`, `rpc-missing`. */
  readonly marker: string;
  readonly cost: Cost;
  readonly retryAfterMs: number | null;

  constructor(details: {
    store: StoreName;
    failure: StoreFailure;
    marker: string;
    message: string;
    cost?: Cost;
    retryAfterMs?: number | null;
    cause?: unknown;
  }) {
    super(details.message, { cause: details.cause });
    this.name = 'StoreError';
    this.store = details.store;
    this.failure = details.failure;
    this.marker = details.marker;
    this.cost = details.cost ?? { requests: 0, bytes: 0, ms: 0 };
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

/** How full the queue store is; two adapters: Redis memory, live jobs in PostgreSQL. */
export interface QueueHeadroom {
  /** Null when it cannot be read: then nothing is refused for want of room. */
  usedBytes(): Promise<number | null>;
  readonly capBytes: number;
}
