/** What a store answers, in our words. Absent facts are null, never 0 or ''. */

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
 * `window` the store shows no further back (Apple: 500). An empty page that nothing corroborates is thrown as
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
