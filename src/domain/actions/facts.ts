import type { ReviewText } from '../reviews/topics.ts';
import type { UtcDay } from '../../lib/dates.ts';
import type { StoreName } from '../ports.ts';
import type { RankPair } from '../rankings/visible.ts';

/** A keyword that is followed now, with what this workspace may see of it. */
export interface KeywordFacts {
  id: number;
  phrase: string;
  country: string;
  followedSince: UtcDay;
  /** 0–100; null: not known. */
  traffic: number | null;
  difficulty: number | null;
  opportunity: number | null;
  /** The newest check, if it is at most three days old. */
  latest: RankPair | null;
  /** The checked days of the last 30, oldest first. */
  checks: readonly RankPair[];
}

/** What the app's own listing says in a country. */
export interface TextFacts {
  country: string;
  name: string;
  developer: string | null;
  /** iOS; null: it has none, or its page was not read, see `isSubtitleKnown`. */
  subtitle: string | null;
  isSubtitleKnown: boolean;
  /** Android's short description. */
  summary: string | null;
  description: string | null;
  readOn: UtcDay;
}

/** The newest saved keyword field of a locale; iOS. */
export interface FieldFacts {
  locale: string;
  normalized: string;
  savedOn: UtcDay;
}

/** A competitor that came into the first places of a keyword and still stands there. */
export interface EntrantFacts {
  keywordId: number;
  competitorId: number;
  name: string;
  enteredOn: UtcDay;
  position: number;
  /** The day of `position`, the newest kept. */
  date: UtcDay;
}

/** A competitor that stands on a keyword on which the app was looked for as deep and not found. */
export interface GapFacts {
  keywordId: number;
  competitorId: number;
  name: string;
  position: number;
  date: UtcDay;
}

export interface RivalChangeFacts {
  competitorId: number;
  name: string;
  country: string;
  field: string;
  before: unknown;
  after: unknown;
  detectedOn: UtcDay;
}

export interface ReviewFacts {
  /** The newest reading of any storefront; null: none was read. */
  readOn: UtcDay | null;
  /** Low ones, newest first. */
  low: readonly (ReviewText & { country: string })[];
}

export interface RatingFacts {
  country: string;
  date: UtcDay;
  rating: number;
  ratingCount: number | null;
}

/** A keyword whose market the store has not answered on days since the last check. */
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
  /** Ratings the app has there; null: not known. */
  ratingCount: number | null;
  /** The app's own phrases as other apps of the workspace follow them there. */
  phrases: readonly { phrase: string; traffic: number }[];
}

export interface AppFacts {
  today: UtcDay;
  app: { id: number; store: StoreName; name: string; primaryCountry: string };
  keywords: readonly KeywordFacts[];
  texts: readonly TextFacts[];
  fields: readonly FieldFacts[];
  entrants: readonly EntrantFacts[];
  gaps: readonly GapFacts[];
  rivalChanges: readonly RivalChangeFacts[];
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
