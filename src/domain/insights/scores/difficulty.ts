import { daysBetween, type UtcDay } from '#lib/dates.ts';
import type { Confidence, MarketEvidence, Scored, SerpEvidence } from './evidence.ts';
import { difficultyFormulas, type DifficultyFormula, type DifficultySignal } from './formulas.ts';
import {
  knownShare,
  knowsStrength,
  readResultStrengths,
  type ResultStrength,
} from './result-strengths.ts';
import { isNamed } from './title-match.ts';
import { meanOf, medianOf, roundTo, toScore, weigh } from './weighted-score.ts';

type Rules = DifficultyFormula['normalisations'];

const freshDays = 14;
const daysPerYear = 365.25;

/**
 * How hard it is to rank among the first ten, 0–100. Pure: the same evidence gives the same score.
 * Neither more ratings of the ranked apps lower it, nor a title that contains the phrase. Null
 * without results.
 */
export function scoreDifficulty(evidence: MarketEvidence): Scored {
  const formula = difficultyFormulas[evidence.store];
  const { serp } = evidence;
  if (!serp) return { score: null, evidence: [], missing: ['serp'], confidence: 'low' };
  const results = readResultStrengths(evidence.phrase, serp, formula);
  const weighed = weigh(
    'difficulty',
    formula.weights,
    readSignals(results, serp, evidence.asOf, formula.normalisations),
  );
  const value = weighed.value ?? 0;
  const lift = isBrand(evidence, results, formula.normalisations)
    ? formula.normalisations.brandLift
    : 0;
  const lifted = value + (1 - value) * lift;
  const brand = {
    score: 'difficulty' as const,
    signal: 'brand',
    value: 1,
    weight: lift,
    points: roundTo(100 * (lifted - value), 2),
  };
  return {
    score: toScore(lifted),
    evidence: lift > 0 ? [...weighed.evidence, brand] : weighed.evidence,
    missing: weighed.missing,
    confidence: confidenceOf(results, daysBetween(serp.date, evidence.asOf)),
  };
}

function readSignals(
  results: readonly ResultStrength[],
  serp: SerpEvidence,
  asOf: UtcDay,
  rules: Rules,
): Record<DifficultySignal, number | null> {
  const isKnown = knowsStrength(results, rules);
  const strengths = (some: readonly ResultStrength[]) =>
    some.flatMap(({ strength, title }) =>
      strength === null ? [] : strength * (title > 0 ? 1 : rules.unrelatedTitle),
    );
  const ratings = serp.top.flatMap((app) => app.rating ?? []);
  const ages = serp.top.flatMap((app) =>
    app.releasedOn === null ? [] : Math.max(0, daysBetween(app.releasedOn, asOf)) / daysPerYear,
  );
  const quality = meanOf(ratings);
  const age = ages.length < rules.ageKnownApps ? null : medianOf(ages);
  return {
    strength: isKnown ? (medianOf(strengths(results)) ?? 0) : null,
    leaders: isKnown ? meanOf(strengths(results.slice(0, rules.leaders))) : null,
    titles: meanTitle(results),
    quality:
      quality === null
        ? null
        : (quality - rules.qualityFrom) / (rules.qualityTo - rules.qualityFrom),
    age: age === null ? null : age / rules.ageYearsForFull,
  };
}

/** The first result counts most. */
function meanTitle(results: readonly ResultStrength[]): number {
  const weights = results.map((_, index) => 1 / Math.log2(index + 2));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return total === 0
    ? 0
    : results.reduce((sum, result, index) => sum + result.title * weights[index]!, 0) / total;
}

/**
 * A search for a brand looks for its owner: the leader's title contains the phrase, its developer
 * has that name, and it is strong. This depends only on facts of the leader that more ratings or an
 * exact title cannot reverse.
 */
function isBrand(
  { phrase, serp }: MarketEvidence,
  results: readonly ResultStrength[],
  rules: Rules,
): boolean {
  const leader = serp?.top[0];
  const strength = results[0]?.strength ?? 0;
  return (
    leader !== undefined &&
    strength >= rules.brandStrength &&
    isNamed(phrase, leader.title) &&
    isNamed(phrase, leader.developer)
  );
}

function confidenceOf(results: readonly ResultStrength[], ageDays: number): Confidence {
  const known = knownShare(results);
  if (known < 0.5) return 'low';
  return known >= 0.8 && ageDays <= freshDays ? 'high' : 'medium';
}
