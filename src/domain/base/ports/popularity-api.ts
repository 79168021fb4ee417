import type { PopularityGenre } from '#stores/profiles.ts';

export interface PopularityKey {
  clientId: string;
  teamId: string;
  keyId: string;
  /** An elliptic-curve key (P-256) as PEM. */
  privateKey: string;
}

export interface PopularityApiRow {
  genre: PopularityGenre;
  term: string;
  rank: number;
  popularityInGenre: number;
  popularity: number;
  level: number;
}

export interface PopularityPage {
  /** Null for a row that cannot be read or is out of range. */
  rows: (PopularityApiRow | null)[];
  isLast: boolean;
}

export interface PopularityApiOptions {
  signal: AbortSignal;
  /** Interactive requests are sent once; others are retried for up to a minute. */
  lane: 'interactive' | 'background';
  /** Is called before each request that counts against the limits of the publisher. */
  onRequest?: () => Promise<void>;
}

/** Weekly popularity from the publisher. Every method throws PopularityApiError. */
export interface PopularityApi {
  /** The account through which the key may read. */
  findAccount(
    key: PopularityKey,
    options: PopularityApiOptions,
  ): Promise<{ id: string; name: string }>;
  /** Terms of a country in the week from Sunday `week` on; `page` counts from 0. */
  readWeek(
    access: { key: PopularityKey; accountId: string },
    query: { country: string; week: string; page: number },
    options: PopularityApiOptions,
  ): Promise<PopularityPage>;
}

/**
 * bad_key      the private key is no unencrypted P-256 key
 * rejected     the publisher does not accept the key, or its role may not read
 * no_account   the organization has no account
 * limited      too many requests
 * unavailable  5xx, timeout, network, an incomplete response
 * unreadable   a response of another form, or a request that was refused as wrong
 */
export type PopularityApiFailure =
  | 'bad_key'
  | 'rejected'
  | 'no_account'
  | 'limited'
  | 'unavailable'
  | 'unreadable';

export class PopularityApiError extends Error {
  readonly failure: PopularityApiFailure;
  readonly retryAfterMs: number | null;

  constructor(
    failure: PopularityApiFailure,
    message: string,
    { retryAfterMs = null, cause }: { retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = 'PopularityApiError';
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }
}
