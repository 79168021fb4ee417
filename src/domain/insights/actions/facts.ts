import type { ReviewText } from '#domain/tracking/reviews/topics.ts';
import type { UtcDay } from '#lib/dates.ts';
import type { StoreName } from '#domain/base/ports.ts';
import type { RankPair } from '#domain/tracking/rankings/visible-rows.ts';

/** A tracked keyword with its visible facts. */
export interface KeywordFacts {
  id: number;
  phrase: string;
  country: string;
  device: string;
  followedSince: UtcDay;
  /** 0–100; null when unknown. */
  traffic: number | null;
  difficulty: number | null;
  opportunity: number | null;
  /** The latest check, if it is at most three days old. */
  latest: RankPair | null;
  /** The checked days of the last 30, oldest first. */
  checks: readonly RankPair[];
}

/** The texts of the app's listing in a country. */
export interface TextFacts {
  country: string;
  name: string;
  developer: string | null;
  /** Null: there is none, or its page was not read, see `isSubtitleKnown`. */
  subtitle: string | null;
  isSubtitleKnown: boolean;
  /** The short description, in a store that has one. */
  summary: string | null;
  description: string | null;
  readOn: UtcDay;
}

/** The latest saved keyword field of a locale. */
export interface FieldFacts {
  locale: string;
  normalized: string;
  savedOn: UtcDay;
}

/** A competitor that entered the first positions of a keyword and is still there. */
export interface EntrantFacts {
  keywordId: number;
  competitorId: number;
  name: string;
  enteredOn: UtcDay;
  /** Checked days before `enteredOn` on which it was absent from the stored results. */
  comparedDays: number;
  position: number;
  /** The day of `position`, the latest stored. */
  date: UtcDay;
}

/** A competitor that ranks for a keyword for which the app was not found at that depth. */
export interface GapFacts {
  keywordId: number;
  competitorId: number;
  name: string;
  position: number;
  date: UtcDay;
}

export interface CompetitorChangeFacts {
  competitorId: number;
  name: string;
  country: string;
  field: string;
  /** A list is stated as its number of items. */
  before: unknown;
  after: unknown;
  detectedOn: UtcDay;
}

export interface ReviewFacts {
  /** The latest reading of any storefront; null: none was read. */
  readOn: UtcDay | null;
  /** The newest low ones, newest first. */
  low: readonly (ReviewText & { country: string })[];
  /** How many low ones there are. */
  lowInAll: number;
}

export interface RatingFacts {
  country: string;
  date: UtcDay;
  rating: number;
  ratingCount: number | null;
}

/** A keyword whose market has failed on the days since its last check. */
export interface FailingFacts {
  keywordId: number;
  country: string;
  days: number;
  since: UtcDay;
  lastOn: UtcDay;
  marker: string | null;
}

/** A country without keywords of this app. */
export interface DemandFacts {
  country: string;
  isPrimary: boolean;
  /** The app's rating count there; null when unknown. */
  ratingCount: number | null;
  /**
   * The app's phrases with traffic that other apps of the workspace track there: some of those with
   * the most, in that order.
   */
  phrases: readonly { phrase: string; traffic: number }[];
  /** How many there are. */
  phrasesInAll: number;
  /** The sum of their traffic. */
  trafficInAll: number;
}

export interface AppFacts {
  today: UtcDay;
  app: { id: number; store: StoreName; name: string; primaryCountry: string };
  keywords: readonly KeywordFacts[];
  texts: readonly TextFacts[];
  fields: readonly FieldFacts[];
  entrants: readonly EntrantFacts[];
  /** Important keywords of which the stored results were not searched for entrants. */
  unsearchedKeywordIds: readonly number[];
  gaps: readonly GapFacts[];
  /** The changes of whole days, newest first. */
  competitorChanges: readonly CompetitorChangeFacts[];
  /** There are so many changes that those of earlier days were not read. */
  hasUnreadChanges: boolean;
  reviews: ReviewFacts;
  ratings: readonly RatingFacts[];
  failing: readonly FailingFacts[];
  demand: readonly DemandFacts[];
}

export interface WebhookFacts {
  id: number;
  host: string;
  disabledBy: 'user' | 'gone' | 'failing' | null;
  failures: number;
  failingSince: Date | null;
}

export interface WorkspaceFacts {
  now: Date;
  webhooks: readonly WebhookFacts[];
}
