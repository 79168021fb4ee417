import type { z } from 'zod';
import type { keywordScore } from '#contract/scores.ts';
import type { Tx } from '#db/database.ts';

/** The part of a keyword that its scores depend on. */
export interface ScoredKeyword {
  id: number;
  phrase: string;
  country: string;
  marketId: number;
  listingId: number;
  trackingPeriods: unknown;
  latestOn: string | null;
  latestPosition: number | null;
  latestDepth: number | null;
}

/** Each from 0 to 100; null when unknown. */
export interface KeywordScores {
  traffic: number | null;
  difficulty: number | null;
  /** Null unless the confidence of the score is low. */
  trafficRange: { low: number; high: number } | null;
  difficultyRange: { low: number; high: number } | null;
  opportunity: { opportunity: number } | null;
}

/**
 * Scores as the keywords' workspace may see them, by keyword id. Keywords without scores are
 * omitted. The number of statements does not depend on the number of keywords.
 */
export interface KeywordScoreReader {
  readScores(tx: Tx, keywords: readonly ScoredKeyword[]): Promise<Map<number, KeywordScores>>;
  /** Returns the same scores with the evidence that they were made from. */
  readProvenance(
    tx: Tx,
    keywords: readonly Pick<ScoredKeyword, 'id' | 'marketId' | 'trackingPeriods'>[],
  ): Promise<Map<number, z.input<typeof keywordScore>>>;
}
