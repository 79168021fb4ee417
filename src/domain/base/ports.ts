/**
 * Words of the ports; the others are in docs/glossary.md.
 *
 * store        one of the list in src/stores/profiles.ts, such as `ios`
 * country      two lowercase letters; belongs to the keyword, not to the app
 * listing      an app in a store, whoever tracks it
 * market       a phrase in a country of a store on a device, searched once a day
 * keyword      a market that an app of a workspace tracks, with a depth of its own
 * position     1-based rank in the results, or null: checked and not found within `depth`
 * depth        the number of results that were really examined
 * gap          a market-day without a result, with the reason
 * grant        permission to send one request to a store through one egress endpoint
 * store task   store work besides checks and refreshes: a review feed, a chart, an app page, hints
 */
import type { Clock } from '#lib/clock.ts';
import {
  addCosts,
  type ChartResponse,
  type Cost,
  type HintsResponse,
  type ListingsResponse,
  type PageResponse,
  type ReviewsResponse,
  type SearchResponse,
  type SimilarResponse,
} from './ports/store-responses.ts';
import type { ChartName, StoreName } from '#stores/profiles.ts';

export * from '#stores/profiles.ts';
export type { Clock };
export * from './ports/backup-maker.ts';
export * from './ports/history-files.ts';
export * from './ports/parquet-exporter.ts';
export * from './ports/popularity-api.ts';
export * from './ports/popularity-files.ts';
export * from './ports/spreadsheets.ts';
export * from './ports/backup-uploader.ts';
export * from './ports/image-source.ts';
export * from './ports/payments.ts';
export * from './ports/store-responses.ts';
export * from './ports/update-source.ts';

export interface StoreRequestOptions {
  signal: AbortSignal;
  /** Interactive work waits less long for a grant than the run. */
  lane: 'interactive' | 'run';
  /** The workspace that waits; the interactive lane serves workspaces round-robin. */
  workspaceId?: number;
}

/**
 * A store. Every method throws StoreError when the store did not respond; an empty response is a
 * response.
 */
export interface Store {
  readonly name: StoreName;
  /** `provider` is one of the profile's that serves the device. */
  search(
    query: { provider: string; phrase: string; country: string; device: string; depth: number },
    options: StoreRequestOptions,
  ): Promise<SearchResponse>;
  /**
   * Any number of apps. A request asks for as many as the profile's `listingsPerRequest`. An app
   * that exists on one device alone is found where that one is named.
   */
  listings(
    query: { storeAppIds: string[]; country: string; device?: string },
    options: StoreRequestOptions,
  ): Promise<ListingsResponse>;
  /**
   * A page of a storefront's reviews, newest first; `cursor` is the `next` of the previous page. An
   * empty first page is compared with `knownRatingCount`, the listing's rating count, and is
   * trusted more when the feed `wasEmpty`.
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
  ): Promise<ReviewsResponse>;
  /** `category` is the store's own id, null for all apps. */
  chart(
    query: { chart: ChartName; category: string | null; country: string; limit: number },
    options: StoreRequestOptions,
  ): Promise<ChartResponse>;
  hints(
    query: { prefix: string; country: string },
    options: StoreRequestOptions,
  ): Promise<HintsResponse>;
  /** The listing's page: subtitle, histogram, similar apps. */
  page(
    query: { storeAppId: string; country: string },
    options: StoreRequestOptions,
  ): Promise<PageResponse>;
  similar(
    query: { storeAppId: string; country: string },
    options: StoreRequestOptions,
  ): Promise<SimilarResponse>;
  /**
   * Countries that the store is known to serve, with the request language; other countries are
   * tried too.
   */
  countries(): readonly { country: string; language: string }[];
  /** Parses a pasted store address; null when it is not one of this store. */
  readUrl(url: string): { storeAppId: string; country: string | null } | null;
  /** True for an id that this store could have assigned. */
  isStoreAppId(text: string): boolean;
  /** The address of the listing's public page. */
  pageUrl(storeAppId: string, country: string): string;
}

export type Stores = Record<StoreName, Store>;

/**
 * Waits as long as a search would and takes its grants, without a request: for results that are
 * stored already and must not come earlier. Throws StoreError when there is no grant.
 */
export interface SearchDelay {
  wait(
    search: { store: StoreName; provider: string; requests: number },
    options: StoreRequestOptions,
  ): Promise<void>;
}

/**
 * refused      the store rejected this address (429, 403, captcha, consent, Retry-After): later
 * unreadable   the parser does not know the form of the response, so nothing in it counts
 * unavailable  5xx, timeout, network, an oversized body
 * not_offered  the store does not serve the country or id
 * bad_request  our own request was wrong
 */
export type StoreFailure = 'refused' | 'unreadable' | 'unavailable' | 'not_offered' | 'bad_request';

/**
 * Markers of `unavailable` that our own pacing sets when a wait took too long. They say nothing
 * about the store.
 */
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

  /** Whole seconds until the next attempt; a minute when the store stated no time. */
  get retryAfterSeconds(): number {
    return this.retryAfterMs === null ? 60 : Math.max(1, Math.ceil(this.retryAfterMs / 1_000));
  }
}

/** A copy of the error with the cost of the whole work. */
export function withCost(error: StoreError, cost: Cost): StoreError {
  const { store, failure, message, marker, retryAfterMs, cause } = error;
  return new StoreError({
    store,
    failure,
    marker,
    message,
    retryAfterMs,
    cause,
    cost: { ...cost },
  });
}

/** For `catch` of a request that others were sent before: their cost is part of the error's. */
export const addEarlierCost =
  (earlier: Cost) =>
  (error: unknown): never => {
    throw error instanceof StoreError ? withCost(error, addCosts(earlier, error.cost)) : error;
  };

/** The fill level of the queue store: Redis memory, or live jobs in PostgreSQL. */
export interface QueueCapacity {
  /** Null when it cannot be read: nothing is rejected then. */
  usedBytes(): Promise<number | null>;
  readonly capBytes: number;
}

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** In all: name lookup, connection, TLS and the last byte of the response. */
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * The result. `error` is null for a complete response, else a short marker: `address`, `dns`,
 * `connect`, `tls`, `timeout`, `reset`, `protocol`, `network`. A status together with an error
 * means an incomplete response.
 */
export interface WebhookReply {
  status: number | null;
  error: string | null;
  latencyMs: number;
  headers: Record<string, string>;
  /** The first 4 KiB of the body. */
  head: string;
}

/** Sends to addresses that users configure, behind an SSRF guard. */
export interface WebhookSender {
  /**
   * The reason why an address is blocked, or null. Resolves its name. A name that does not resolve
   * is allowed, because it may later.
   */
  checkUrl(url: string): Promise<string | null>;
  /** Never throws for the receiver's behaviour; throws the signal's reason when aborted. */
  send(request: WebhookRequest): Promise<WebhookReply>;
}

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
  headers?: Record<string, string>;
  /** The beginning of its Message-ID, by which a receiver recognizes a mail that it has. */
  id?: string;
}

/** Sends mail through the instance's configured server. */
export interface Mailer {
  /**
   * Throws when the server did not accept it within ten seconds. `asJob`, each of its responses may
   * take a minute: a job would deliver a mail again that a slow server has accepted.
   */
  send(mail: Mail, options?: { asJob?: boolean }): Promise<void>;
}
