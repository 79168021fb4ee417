import { daysBetween, type UtcDay } from '#lib/dates.ts';
import type { MarketEvidence, Scored } from './evidence.ts';
import { difficultyFormulas, type DifficultyFormula, type DifficultySignal } from './formulas.ts';
import { readResultStrengths, type ResultStrength } from './result-strengths.ts';
import { confidenceOfWidth, toRange } from './score-range.ts';
import { isNamed, type Words } from './title-match.ts';
import { clamp, meanOfKnown, roundTo, toScore, weigh, type Signal } from './weighted-score.ts';

type Rules = DifficultyFormula['normalisations'];

const daysPerYear = 365.25;

/**
 * How hard it is to rank among the first results, 0–100, by default the first ten. Pure: the same
 * evidence gives the same score. Neither more ratings of the ranked apps lower it, nor a title that
 * contains the phrase, and an app that moves by one position changes it by eight at most. Null
 * without results.
 */
export function scoreDifficulty(evidence: MarketEvidence, positions?: number): Scored {
  const formula = difficultyFormulas[evidence.store];
  const { serp } = evidence;
  if (!serp)
    return { score: null, range: null, evidence: [], missing: ['serp'], confidence: 'low' };
  const results = readResultStrengths(evidence.phrase, serp, formula, positions);
  const signals = readSignals(results, evidence.asOf, formula.normalisations);
  const weighed = weigh('difficulty', formula.weights, signals);
  const value = weighed.value ?? 0;
  const lift = brandLiftOf(evidence.phrase, results, formula.normalisations);
  const lifted = value + (1 - value) * lift;
  const brand = {
    score: 'difficulty' as const,
    signal: 'brand',
    value: 1,
    weight: roundTo(lift, 4),
    points: roundTo(100 * (lifted - value), 2),
  };
  const score = toScore(lifted);
  const halfWidth = halfWidthOf(weighed.known, daysBetween(serp.date, evidence.asOf), formula);
  return {
    score,
    range: toRange(score, halfWidth),
    evidence: lift > 0 ? [...weighed.evidence, brand] : weighed.evidence,
    missing: weighed.missing,
    confidence: confidenceOfWidth(halfWidth),
  };
}

/** Higher positions count more, and the last one little, so that no single move changes much. */
function readSignals(
  results: readonly ResultStrength[],
  asOf: UtcDay,
  rules: Rules,
): Record<DifficultySignal, Signal | null> {
  if (results.length === 0) return noResults;
  const falling = (index: number) => results.length - index;
  const steep = (index: number) => falling(index) ** 2;
  const strengths = results.map(({ strength, title }) =>
    strength === null ? null : strength * (title > 0 ? 1 : rules.unrelatedTitle),
  );
  const ratings = results.map(({ app }) =>
    app === null || app.rating === null
      ? null
      : clamp((app.rating - rules.qualityFrom) / (rules.qualityTo - rules.qualityFrom)),
  );
  const ages = results.map(({ app }) =>
    app === null || app.releasedOn === null
      ? null
      : Math.min(1, yearsSince(app.releasedOn, asOf) / rules.ageYearsForFull),
  );
  return {
    strength: meanOfKnown(strengths, falling),
    leaders: meanOfKnown(strengths, steep),
    titles: meanOfKnown(
      results.map(({ title }) => title),
      steep,
    ),
    quality: meanOfKnown(ratings, falling),
    age: meanOfKnown(ages, falling),
  };
}

/** Nobody is there to be passed. */
const noResults = {
  strength: { value: 0 },
  leaders: { value: 0 },
  titles: { value: 0 },
  quality: null,
  age: null,
};

const yearsSince = (day: UtcDay, asOf: UtcDay): number =>
  Math.max(0, daysBetween(day, asOf)) / daysPerYear;

/**
 * A search for a brand looks for its owner: an app whose title contains the phrase, whose developer
 * has that name, and which is strong. This depends only on facts of the app that more ratings or an
 * exact title cannot reverse. The lower it is, the less it counts.
 */
function brandLiftOf(phrase: Words, results: readonly ResultStrength[], rules: Rules): number {
  const position = results.findIndex(
    ({ app, strength }) =>
      app !== null &&
      (strength ?? 0) >= rules.brandStrength &&
      isNamed(phrase, app.title) &&
      isNamed(phrase, app.developer),
  );
  if (position < 0) return 0;
  return rules.brandLift * Math.max(0, 1 - position / rules.brandPositions);
}

function halfWidthOf(
  known: number,
  ageDays: number,
  { normalisations }: DifficultyFormula,
): number {
  const { rangeBase, rangeMissing, rangeOld, freshDays } = normalisations;
  return rangeBase + rangeMissing * (1 - known) + (ageDays > freshDays ? rangeOld : 0);
}
