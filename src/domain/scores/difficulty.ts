import { daysBetween, type UtcDay } from '../../lib/dates.ts';
import type { Confidence, MarketEvidence, Scored, SerpEvidence } from './evidence.ts';
import { difficultyFormulas, type DifficultyFormula, type DifficultySignal } from './formulas.ts';
import { knownShare, knowsStrength, readPlaces, type Place } from './strength.ts';
import { isNamed } from './title-match.ts';
import { meanOf, medianOf, roundTo, toScore, weigh } from './weigh.ts';

type Rules = DifficultyFormula['normalisations'];

const freshDays = 14;
const daysPerYear = 365.25;

/**
 * How hard it is to stand among the first ten, 0–100. Pure: the same evidence gives the same score. More ratings of
 * those who stand there never lower it, nor does a title that names the phrase. Null without results.
 */
export function scoreDifficulty(evidence: MarketEvidence): Scored {
  const formula = difficultyFormulas[evidence.store];
  const { serp } = evidence;
  if (!serp) return { score: null, evidence: [], missing: ['serp'], confidence: 'low' };
  const places = readPlaces(evidence.phrase, serp, formula);
  const weighed = weigh(
    'difficulty',
    formula.weights,
    readSignals(places, serp, evidence.asOf, formula.normalisations),
  );
  const value = weighed.value ?? 0;
  const lift = isBrand(evidence, places, formula.normalisations)
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
    confidence: confidenceOf(places, daysBetween(serp.date, evidence.asOf)),
  };
}

function readSignals(
  places: readonly Place[],
  serp: SerpEvidence,
  asOf: UtcDay,
  rules: Rules,
): Record<DifficultySignal, number | null> {
  const isKnown = knowsStrength(places, rules);
  const strengths = (some: readonly Place[]) =>
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
    strength: isKnown ? (medianOf(strengths(places)) ?? 0) : null,
    leaders: isKnown ? meanOf(strengths(places.slice(0, rules.leaders))) : null,
    titles: meanTitle(places),
    quality:
      quality === null
        ? null
        : (quality - rules.qualityFrom) / (rules.qualityTo - rules.qualityFrom),
    age: age === null ? null : age / rules.ageYearsForFull,
  };
}

/** The first place counts most. */
function meanTitle(places: readonly Place[]): number {
  const weights = places.map((_, index) => 1 / Math.log2(index + 2));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return total === 0
    ? 0
    : places.reduce((sum, place, index) => sum + place.title * weights[index]!, 0) / total;
}

/**
 * Somebody who types a brand wants its owner: the leader's title holds the phrase, its developer is called so,
 * and it is strong. Only facts of the leader that more ratings or an exact title cannot turn around.
 */
function isBrand(
  { phrase, serp }: MarketEvidence,
  places: readonly Place[],
  rules: Rules,
): boolean {
  const leader = serp?.top[0];
  const strength = places[0]?.strength ?? 0;
  return (
    leader !== undefined &&
    strength >= rules.brandStrength &&
    isNamed(phrase, leader.title) &&
    isNamed(phrase, leader.developer)
  );
}

function confidenceOf(places: readonly Place[], ageDays: number): Confidence {
  const known = knownShare(places);
  if (known < 0.5) return 'low';
  return known >= 0.8 && ageDays <= freshDays ? 'high' : 'medium';
}
