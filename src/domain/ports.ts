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
import type {
  ChartAnswer,
  ChartName,
  Cost,
  HintsAnswer,
  ListingsAnswer,
  PageAnswer,
  ReviewsAnswer,
  SearchAnswer,
  SimilarAnswer,
} from './store-answers.ts';
import type { StoreName } from '../lib/store-name.ts';

export { storeNames, type StoreName } from '../lib/store-name.ts';
export type { Clock };
export * from './payments.ts';
export * from './store-answers.ts';

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
  search(
    query: { phrase: string; country: string; depth: number },
    options: StoreRequestOptions,
  ): Promise<SearchAnswer>;
  /** iOS asks for up to 200 apps in a request; Android for one. */
  listings(
    query: { storeAppIds: string[]; country: string },
    options: StoreRequestOptions,
  ): Promise<ListingsAnswer>;
  /**
   * A page of a storefront's reviews, newest first; `cursor` is the `next` of the page before. `knownRatingCount`, the
   * listing's rating count, is what an empty first page is doubted against, and less so of a feed that `wasEmpty`.
   */
  reviews(
    query: {
      storeAppId: string;
      country: string;
      cursor: string | null;
      knownRatingCount: number | null;
      wasEmpty?: boolean;
    },
    options: StoreRequestOptions,
  ): Promise<ReviewsAnswer>;
  /** `category` is the store's own id, null for all apps. */
  chart(
    query: { chart: ChartName; category: string | null; country: string; limit: number },
    options: StoreRequestOptions,
  ): Promise<ChartAnswer>;
  hints(
    query: { prefix: string; country: string },
    options: StoreRequestOptions,
  ): Promise<HintsAnswer>;
  /** The listing's page: subtitle, histogram, similar apps. */
  page(
    query: { storeAppId: string; country: string },
    options: StoreRequestOptions,
  ): Promise<PageAnswer>;
  similar(
    query: { storeAppId: string; country: string },
    options: StoreRequestOptions,
  ): Promise<SimilarAnswer>;
  /** Requests a day's reading of one chore of this kind usually takes, before anything is learned. */
  usualRequests(kind: ChoreKind): number;
  /** Countries it is known to serve and the language it is asked in there; others are tried all the same. */
  countries(): readonly { country: string; language: string }[];
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

/** Markers of `unavailable` by which our own pacing says that a wait took too long: nothing is learned of the store. */
export const pacingMarkers: readonly string[] = ['busy', 'late'];

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

  /** Whole seconds to wait before asking again; a minute where the store named no time. */
  get retryAfterSeconds(): number {
    return this.retryAfterMs === null ? 60 : Math.max(1, Math.ceil(this.retryAfterMs / 1_000));
  }
}

/** How full the queue store is; two adapters: Redis memory, live jobs in PostgreSQL. */
export interface QueueHeadroom {
  /** Null when it cannot be read: then nothing is refused for want of room. */
  usedBytes(): Promise<number | null>;
  readonly capBytes: number;
}

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** For everything: name, connection, TLS and the last byte of the answer. */
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * What came back. `error` is null when there was a whole answer, or a short marker: `address`, `dns`, `connect`, `tls`,
 * `timeout`, `reset`, `protocol`, `network`. A status may stand beside an error: the answer began and did not end.
 */
export interface WebhookReply {
  status: number | null;
  error: string | null;
  latencyMs: number;
  headers: Record<string, string>;
  /** The first 4 KiB of the body. */
  head: string;
}

/** Sends to addresses that users name; none of them may lead inward. */
export interface WebhookSender {
  /** Why an address is refused, or null. Looks its name up; a name without an answer is not refused, it may have one later. */
  judge(url: string): Promise<string | null>;
  /** Never throws for what a receiver does; throws the signal's reason when it is aborted. */
  send(request: WebhookRequest): Promise<WebhookReply>;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
  headers?: Record<string, string>;
}

/** Sends mail through the server that the instance is configured with. */
export interface Mailer {
  /** Throws when the server did not take it within ten seconds. */
  send(mail: Mail): Promise<void>;
}
