import type { DifficultyFormula } from './formulas.ts';
import type { SerpEvidence, TopApp } from './evidence.ts';
import { matchTitle, type Words } from './title-match.ts';
import { clamp } from './weigh.ts';

/** A place as both scores see it. */
export interface Place {
  /** How far the title names the phrase, 0–1. */
  title: number;
  /** By rating count, on a log scale, 0–1; null: the store does not show how many. */
  strength: number | null;
}

const nobody: Place = { title: 0, strength: 0 };

/** The places that count, first place first; those that nobody holds too. */
export function readPlaces(
  phrase: Words,
  serp: SerpEvidence,
  { normalisations }: DifficultyFormula,
): Place[] {
  const held = serp.top.map((app) => ({
    title: matchTitle(phrase, app.title, normalisations),
    strength: strengthOf(app, normalisations),
  }));
  return [...held, ...Array.from({ length: Math.max(0, serp.places - held.length) }, () => nobody)];
}

function strengthOf(
  { ratingCount }: TopApp,
  rules: DifficultyFormula['normalisations'],
): number | null {
  if (ratingCount === null) return rules.unknownRatingsAreNone ? 0 : null;
  return clamp(Math.log10(1 + ratingCount) / Math.log10(1 + rules.ratingsForFull));
}

/** Whether enough of the rating counts are known to say something of strength. */
export function knowsStrength(
  places: readonly Place[],
  rules: DifficultyFormula['normalisations'],
): boolean {
  return places.length === 0 || knownShare(places) >= rules.ratingsKnownShare;
}

export function knownShare(places: readonly Place[]): number {
  return places.length === 0
    ? 1
    : places.filter((place) => place.strength !== null).length / places.length;
}
