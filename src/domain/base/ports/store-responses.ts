/** Responses of stores in our own terms. Absent facts are null, never 0 or ''. */

/** An app in a list of results. Ratings are null where the store shows none. */
export interface AppCard {
  storeAppId: string;
  bundleId: string | null;
  name: string;
  developer: string | null;
  iconUrl: string | null;
  /** 0–5 */
  rating: number | null;
  ratingCount: number | null;
  /**
   * Names of the fields that the store sent in a form that no parser knows. They are null, or an
   * empty list, and must not replace known values.
   */
  unread: string[];
}

/** A listing as the store shows it in one country. Absent facts are null, never 0 or ''. */
export interface AppListing extends AppCard {
  subtitle: string | null;
  description: string | null;
  summary: string | null;
  storeUrl: string;
  categoryId: string | null;
  category: string | null;
  /** In millionths of the currency's unit, so that no price is a fraction. */
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
  /** Exact installs; null where the store shows none. */
  installs: bigint | null;
}

/** The real cost of store requests: every attempt counts. */
export interface Cost {
  requests: number;
  bytes: number;
  ms: number;
  /** The egress endpoint of the last request; absent without one. */
  endpoint?: string;
}

export const addCosts = (a: Cost, b: Cost): Cost => ({
  requests: a.requests + b.requests,
  bytes: a.bytes + b.bytes,
  ms: a.ms + b.ms,
  ...((b.endpoint ?? a.endpoint) !== undefined && { endpoint: (b.endpoint ?? a.endpoint)! }),
});

/**
 * `depth`: the requested number of results was seen. `exhausted`: the store says that there are no
 * more, so "not within the requested depth" is true. `truncated`: the store stopped early, and only
 * `depthReached` positions are known.
 */
export type SearchEnd = 'depth' | 'exhausted' | 'truncated';

/** A result of a search; the card is null where the store's response has the id alone. */
export interface SearchResult {
  storeAppId: string;
  card: AppCard | null;
}

export interface SearchResponse {
  /** In store order, each id once; position = index + 1. Never more than the requested depth. */
  items: SearchResult[];
  depthRequested: number;
  depthReached: number;
  end: SearchEnd;
  /** Names of the page's parts that no parser knows; apps in them are not in `items`. */
  unread: string[];
  provider: string;
  /** For each ad the 1-based position of the result that follows it; null where none are shown. */
  ads: number[] | null;
  language: string | null;
  cost: Cost;
}

export interface ListingsResponse {
  found: AppListing[];
  /** Requested but not offered in this country. */
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
  /** Null where the store's reviews have none. */
  title: string | null;
  body: string;
  version: string | null;
  /** When it was written or last edited according to the store; null when unknown. ISO instant. */
  reviewedAt: string | null;
  /** The developer's public reply. */
  reply: { text: string; at: string | null } | null;
}

/**
 * One page of reviews, newest first. `end`: `more` means another page; `exhausted` means that the
 * store has no more; `window` means that the store shows none from further back. An empty page that
 * nothing corroborates is never returned: it is thrown as unreadable with marker `soft-empty`.
 */
export interface ReviewsResponse {
  reviews: StoreReview[];
  next: string | null;
  end: 'more' | 'exhausted' | 'window';
  language: string | null;
  cost: Cost;
}

/**
 * A top chart: position = index + 1. `depthReached` entries were returned, and nothing is known
 * beyond.
 */
export interface ChartResponse {
  items: AppCard[];
  depthReached: number;
  cost: Cost;
}

/**
 * The store's autocomplete suggestions; position = index + 1. An empty list is a valid response.
 */
export interface HintsResponse {
  terms: string[];
  cost: Cost;
}

/** Facts that only the listing's page shows; null when it lacks them. */
export interface PageResponse {
  subtitle: string | null;
  rating: number | null;
  ratingCount: number | null;
  /** Counts of 1, 2, 3, 4 and 5 stars. */
  histogram: [number, number, number, number, number] | null;
  similar: AppCard[];
  /** As of a card: names of the fields that are null because no parser knows their form. */
  unread: string[];
  cost: Cost;
}

export interface SimilarResponse {
  items: AppCard[];
  cost: Cost;
}
