import { daysBetween } from '#lib/dates.ts';
import { countCharacters } from '#lib/text.ts';
import type { HintEvidence, HintOffer, MarketEvidence, Scored, ScoredTraffic } from './evidence.ts';
import {
  difficultyFormulas,
  trafficFormulas,
  trafficSignals,
  type TrafficFormula,
  type TrafficSignal,
} from './formulas.ts';
import { readResultStrengths, type ResultStrength } from './result-strengths.ts';
import { confidenceOfWidth, toRange } from './score-range.ts';
import { clamp, meanOfKnown, toScore, weigh, type Signal } from './weighted-score.ts';

type Rules = TrafficFormula['normalisations'];
type TrafficSignals = Record<TrafficSignal, Signal | null>;
/** The signals of a market as they are, and as they would be if the phrase were not offered. */
export interface TrafficReadings {
  observed: TrafficSignals;
  unoffered: TrafficSignals;
}

const denseCharacters = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/**
 * How often a phrase is searched, 0–100. Pure. A number that the store publishes is the score; a
 * phrase that the store does not list is below the bound of its genre. The estimate is kept beside
 * both. Null with too little evidence.
 */
export function scoreTraffic(evidence: MarketEvidence): ScoredTraffic {
  const estimate = estimateTraffic(evidence);
  const { popularity, popularityBound } = evidence;
  if (popularity !== null) return replace(estimate, 'published', popularity.popularity);
  if (popularityBound === null || estimate.range === null) return { ...estimate, estimate: null };
  if (estimate.score! > popularityBound) return replace(estimate, 'bound', popularityBound);
  const { low, high } = estimate.range;
  const range = { low, high: Math.min(high, popularityBound) };
  return { ...estimate, range, estimate: null };
}

/** The number of the store in the form of a score with one signal. */
function replace(estimated: Scored, signal: 'published' | 'bound', number: number): ScoredTraffic {
  const isExact = signal === 'published';
  const { score, range, evidence } = estimated;
  return {
    score: number,
    range: isExact
      ? { low: number, high: number }
      : { low: Math.min(range?.low ?? 0, number), high: number },
    evidence: [{ score: 'traffic', signal, value: number / 100, weight: 1, points: number }],
    missing: isExact ? [] : estimated.missing,
    confidence: isExact ? 'high' : estimated.confidence,
    estimate: { score, range, evidence },
  };
}

/** The estimate from the signals alone. Null with too little evidence. */
function estimateTraffic(evidence: MarketEvidence): Scored {
  const formula = trafficFormulas[evidence.store];
  const rules = formula.normalisations;
  const weighed = weighTraffic(formula, readTrafficSignals(evidence));
  const isEnough = weighed.known >= rules.leastEvidence;
  const score = isEnough ? toScore(weighed.value!) : null;
  const halfWidth = halfWidthOf(evidence, weighed.known, rules);
  return {
    score,
    range: toRange(score, halfWidth),
    evidence: isEnough ? weighed.evidence : [],
    missing: weighed.missing,
    confidence: score === null ? 'low' : confidenceOfWidth(halfWidth),
  };
}

/** An offered phrase counts at least as much as the same evidence would without the offer. */
export function weighTraffic({ weights }: TrafficFormula, readings: TrafficReadings) {
  const observed = weigh('traffic', weights, withLength(weights, readings.observed));
  const unoffered = weigh('traffic', weights, withLength(weights, readings.unoffered));
  return (observed.value ?? 0) >= (unoffered.value ?? 0) ? observed : unoffered;
}

/** The length is no evidence of its own: it counts in proportion to what else is known. */
function withLength(weights: TrafficFormula['weights'], signals: TrafficSignals): TrafficSignals {
  const others = trafficSignals.filter((name) => name !== 'length');
  const sumOf = (weightOf: (name: TrafficSignal) => number) =>
    others.reduce((sum, name) => sum + weightOf(name), 0);
  const known = sumOf((name) => {
    const signal = signals[name];
    return signal === null ? 0 : weights[name] * (signal.known ?? 1);
  });
  return {
    ...signals,
    length: signals.length && { ...signals.length, known: known / sumOf((name) => weights[name]) },
  };
}

/** The signals of a market, each null without its evidence. */
export function readTrafficSignals(evidence: MarketEvidence): TrafficReadings {
  const { store, phrase, hints } = evidence;
  const rules = trafficFormulas[store].normalisations;
  const results =
    evidence.serp && readResultStrengths(phrase, evidence.serp, difficultyFormulas[store]);
  const others = {
    length: { value: 1 / Math.max(1, phrase.words.length) },
    charts: results && valueOfCharts(results, evidence, rules),
    serp: results && valueOfResults(results, rules),
  };
  const unoffered = { ...evidence, hints: hints && withoutOffers(hints) };
  return {
    observed: { ...readHintSignals(evidence, rules), ...others },
    unoffered: { ...readHintSignals(unoffered, rules), ...others },
  };
}

/** The same responses without the phrase among their suggestions. */
function withoutOffers({ date, offered }: HintEvidence): HintEvidence {
  return {
    date,
    offered: offered.map(([prefix, , ...counts]): HintOffer => [prefix, null, ...counts]),
  };
}

/** Hints recent enough for today. */
export function usableHints({ hints, asOf, store }: MarketEvidence): HintEvidence | null {
  if (hints === null || hints.offered.length === 0) return null;
  return daysBetween(hints.date, asOf) > trafficFormulas[store].normalisations.hintMaxAgeDays
    ? null
    : hints;
}

/**
 * The shortest prefix at which the phrase was offered; null: never, not even for the whole phrase.
 */
export function shortestOffer({
  offered,
}: HintEvidence): { prefix: string; position: number } | null {
  return (
    listOffers(offered).toSorted(
      (a, b) => countCharacters(a.prefix) - countCharacters(b.prefix),
    )[0] ?? null
  );
}

const listOffers = (offered: readonly HintOffer[]) =>
  offered.flatMap(([prefix, position]) => (position === null ? [] : [{ prefix, position }]));

/** How the suggestions for the whole phrase continue it; null: unknown. */
export function readContinuations(
  { offered }: HintEvidence,
  phrase: string,
): { continuing: number; plural: boolean } | null {
  const whole = offered.find(([prefix]) => prefix === phrase);
  const [, , , continuing, plural] = whole ?? [];
  return continuing === undefined ? null : { continuing, plural: plural === 1 };
}

/** A phrase that is never offered counts 0, with little weight: stores suggest only some. */
function readHintSignals(
  evidence: MarketEvidence,
  rules: Rules,
): Pick<TrafficSignals, 'early' | 'rank' | 'continuations'> {
  const hints = usableHints(evidence);
  if (!hints) return { early: null, rank: null, continuations: null };
  const { phrase } = evidence;
  const offer = shortestOffer(hints);
  const found = readContinuations(hints, phrase.text);
  const continuations = found && {
    value: Math.max(
      Math.log(1 + found.continuing) / Math.log(rules.hintPositions),
      found.plural && phrase.words.length === 1 ? rules.pluralValue : 0,
    ),
  };
  if (offer) {
    return {
      early: { value: valueOfEarly(offer.prefix, rules) },
      rank: { value: valueOfRank(hints.offered, rules) },
      continuations,
    };
  }
  const isContinued = continuations !== null && continuations.value > 0;
  if (isContinued && phrase.words.length === 1 && rules.suggestsSingleWordsSeldom)
    return { early: null, rank: null, continuations };
  const never = { value: 0, known: rules.neverOfferedWeight };
  return { early: never, rank: never, continuations };
}

function valueOfEarly(prefix: string, rules: Rules): number {
  return clamp(1 - Math.log(countTyped(prefix, rules)) / Math.log(rules.hintCharactersForNone));
}

/** The mean position among the suggestions, over the responses that offered the phrase. */
function valueOfRank(offered: readonly HintOffer[], rules: Rules): number {
  const offers = listOffers(offered);
  const values = offers.map(({ position }) => clamp(1 - (position - 1) / rules.hintPositions));
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Letters that represent a syllable or a word count more. */
function countTyped(text: string, rules: Rules): number {
  const denseCount = text.match(denseCharacters)?.length ?? 0;
  return Math.max(1, countCharacters(text) + denseCount * (rules.hintDenseCharacter - 1));
}

function valueOfCharts(
  results: readonly ResultStrength[],
  { chartsKnown }: MarketEvidence,
  rules: Rules,
): Signal | null {
  if (!chartsKnown) return null;
  const values = results.map(({ app, title }) =>
    app === null || app.chartPosition === null
      ? 0
      : clamp(1 - Math.log(app.chartPosition) / Math.log(rules.chartPositions + 1)) *
        (title > 0 ? 1 : rules.chartUnrelatedTitle),
  );
  return meanOfKnown(values, (index) => values.length - index) ?? { value: 0 };
}

/**
 * Strong apps put a phrase into their titles only when users search for it. One strong app counts
 * half: the owner of a searched name is often the only one.
 */
function valueOfResults(results: readonly ResultStrength[], rules: Rules): Signal | null {
  const values = results.map(({ strength, title }) =>
    strength === null ? null : strength * title,
  );
  if (values.length === 0) return { value: 0 };
  const mean = meanOfKnown(values, (index) => values.length - index);
  if (mean === null) return null;
  const best = Math.max(
    ...values.map((value, index) => (value ?? 0) * (1 - index / (2 * values.length))),
  );
  return { ...mean, value: (1 - rules.serpBest) * mean.value + rules.serpBest * best };
}

function halfWidthOf(evidence: MarketEvidence, known: number, rules: Rules): number {
  const hints = usableHints(evidence);
  const isOld = hints !== null && daysBetween(hints.date, evidence.asOf) > rules.freshDays;
  const isNeverOffered = hints !== null && shortestOffer(hints) === null;
  return (
    rules.rangeBase +
    rules.rangeMissing * (1 - known) +
    (isOld ? rules.rangeOld : 0) +
    (isNeverOffered ? rules.rangeNeverOffered : 0)
  );
}
