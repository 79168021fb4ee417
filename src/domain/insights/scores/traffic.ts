import { daysBetween } from '#lib/dates.ts';
import { countCharacters } from '#lib/text.ts';
import type { Confidence, HintEvidence, MarketEvidence, Scored } from './evidence.ts';
import { difficultyFormulas, trafficFormulas, type TrafficFormula } from './formulas.ts';
import { knowsStrength, readResultStrengths, type ResultStrength } from './result-strengths.ts';
import { clamp, meanOf, toScore, weigh } from './weighted-score.ts';

type Rules = TrafficFormula['normalisations'];

const freshDays = 14;
const denseCharacters = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/**
 * How often a phrase is searched, 0–100. Pure. The store's autocomplete weighs most. Without it the
 * other signals count alone and confidence is low. Null with too little evidence.
 */
export function scoreTraffic(evidence: MarketEvidence): Scored {
  const formula = trafficFormulas[evidence.store];
  const hints = usableHints(evidence);
  const results = evidence.serp
    ? readResultStrengths(evidence.phrase, evidence.serp, difficultyFormulas[evidence.store])
    : null;
  const weighed = weigh('traffic', formula.weights, {
    hints: hints && valueOfHints(hints, evidence.phrase.text, formula.normalisations),
    charts: results && valueOfCharts(results, evidence, formula.normalisations),
    serp: results && valueOfResults(results, evidence),
  });
  const isEnough = weighed.value !== null && weighed.known >= formula.normalisations.leastEvidence;
  return {
    score: isEnough ? toScore(weighed.value!) : null,
    evidence: isEnough ? weighed.evidence : [],
    missing: weighed.missing,
    confidence: confidenceOf(evidence, hints),
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
  const offers = offered.flatMap(([prefix, position]) =>
    position === null ? [] : [{ prefix, position }],
  );
  return (
    offers.toSorted((a, b) => countCharacters(a.prefix) - countCharacters(b.prefix))[0] ?? null
  );
}

/** A phrase that is not offered counts 0, because that is a measurement and not a missing value. */
function valueOfHints(hints: HintEvidence, phrase: string, rules: Rules): number {
  const offer = shortestOffer(hints);
  if (!offer) return 0;
  const typed = countTyped(offer.prefix, rules);
  const early = clamp(1 - Math.log(typed) / Math.log(rules.hintCharactersForNone));
  const saved = clamp(1 - typed / countTyped(phrase, rules));
  const position = clamp(1 - (offer.position - 1) / rules.hintPositions);
  const worth = early * (rules.hintUnsavedShare + (1 - rules.hintUnsavedShare) * saved);
  return rules.hintEarly * worth + (1 - rules.hintEarly) * position;
}

/** Letters that represent a syllable or a word count more. */
function countTyped(text: string, rules: Rules): number {
  const denseCount = text.match(denseCharacters)?.length ?? 0;
  return Math.max(1, countCharacters(text) + denseCount * (rules.hintDenseCharacter - 1));
}

function valueOfCharts(
  results: readonly ResultStrength[],
  { serp, chartsKnown }: MarketEvidence,
  rules: Rules,
): number | null {
  if (!chartsKnown || !serp) return null;
  const presence = serp.top.map(({ chartPosition }, index) => {
    const value =
      chartPosition === null
        ? 0
        : clamp(1 - Math.log(chartPosition) / Math.log(rules.chartPositions + 1));
    return value * (results[index]!.title > 0 ? 1 : rules.chartUnrelatedTitle);
  });
  return presence.reduce((sum, value) => sum + value, 0) / Math.max(1, results.length);
}

/** Strong apps put a phrase into their titles only when users search for it. */
function valueOfResults(
  results: readonly ResultStrength[],
  { store }: MarketEvidence,
): number | null {
  if (!knowsStrength(results, difficultyFormulas[store].normalisations)) return null;
  return (
    meanOf(results.flatMap(({ strength, title }) => (strength === null ? [] : strength * title))) ??
    0
  );
}

function confidenceOf({ serp, asOf }: MarketEvidence, hints: HintEvidence | null): Confidence {
  if (!hints) return 'low';
  return serp && daysBetween(hints.date, asOf) <= freshDays ? 'high' : 'medium';
}
