import type { DifficultyFormula } from './formulas.ts';
import type { SerpEvidence, TopApp } from './evidence.ts';
import { matchTitle, type Words } from './title-match.ts';
import { clamp } from './weighted-score.ts';

/** A result as both scores use it. */
export interface ResultStrength {
  /** The title match of the phrase, 0–1. */
  title: number;
  /** By rating count, on a log scale, 0–1; null when the store shows no count. */
  strength: number | null;
}

const nobody: ResultStrength = { title: 0, strength: 0 };

/** The positions that count, first one first, including empty ones. */
export function readResultStrengths(
  phrase: Words,
  serp: SerpEvidence,
  { normalisations }: DifficultyFormula,
): ResultStrength[] {
  const held = serp.top.map((app) => ({
    title: matchTitle(phrase, app.title, normalisations),
    strength: strengthOf(app, normalisations),
  }));
  return [
    ...held,
    ...Array.from({ length: Math.max(0, serp.positions - held.length) }, () => nobody),
  ];
}

function strengthOf(
  { ratingCount }: TopApp,
  rules: DifficultyFormula['normalisations'],
): number | null {
  if (ratingCount === null) return rules.unknownRatingsAreNone ? 0 : null;
  return clamp(Math.log10(1 + ratingCount) / Math.log10(1 + rules.ratingsForFull));
}

/** True when enough rating counts are known to measure strength. */
export function knowsStrength(
  results: readonly ResultStrength[],
  rules: DifficultyFormula['normalisations'],
): boolean {
  return results.length === 0 || knownShare(results) >= rules.ratingsKnownShare;
}

export function knownShare(results: readonly ResultStrength[]): number {
  return results.length === 0
    ? 1
    : results.filter((result) => result.strength !== null).length / results.length;
}
