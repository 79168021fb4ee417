import { strongest } from '#domain/tracking/rankings/pack-serp.ts';
import type { DifficultyFormula } from './formulas.ts';
import type { SerpEvidence, TopApp } from './evidence.ts';
import { matchTitle, type Words } from './title-match.ts';
import { clamp } from './weighted-score.ts';

/** A result as both scores use it; `app` is null for an empty position. */
export interface ResultStrength {
  app: TopApp | null;
  /** The title match of the phrase, 0–1. */
  title: number;
  /** By rating count, on a log scale, 0–1; null when the number of ratings is unknown. */
  strength: number | null;
}

const nobody: ResultStrength = { app: null, title: 0, strength: 0 };

/** The first `positions` that count, first one first, including empty ones. */
export function readResultStrengths(
  phrase: Words,
  serp: SerpEvidence,
  { normalisations }: DifficultyFormula,
  positions = normalisations.positions,
): ResultStrength[] {
  const held = serp.top.slice(0, positions).map((app, index) => ({
    app,
    title: matchTitle(phrase, app.title, normalisations),
    strength: strengthOf(app, normalisations, index < strongest),
  }));
  const empty = Math.min(positions, serp.positions) - held.length;
  return [...held, ...Array.from({ length: Math.max(0, empty) }, () => nobody)];
}

/**
 * Ratings of the first ten results are stored with them; those of others may be unknown. An app
 * that shows a rating has some, so that without their number it is unknown too.
 */
function strengthOf(
  { rating, ratingCount, isUnread = false }: TopApp,
  rules: DifficultyFormula['normalisations'],
  isStored: boolean,
): number | null {
  const isRead = isStored && !isUnread;
  const isUnrated = isRead && rules.unknownRatingsAreNone && rating === null;
  if (ratingCount === null) return isUnrated ? 0 : null;
  return strengthOfRatings(ratingCount, rules);
}

/** 0 up to `ratingsForNone` ratings, 1 from `ratingsForFull`, and logarithmic between them. */
function strengthOfRatings(
  ratingCount: number,
  { ratingsForNone, ratingsForFull }: DifficultyFormula['normalisations'],
): number {
  const none = Math.log10(1 + ratingsForNone);
  return clamp((Math.log10(1 + ratingCount) - none) / (Math.log10(1 + ratingsForFull) - none));
}
