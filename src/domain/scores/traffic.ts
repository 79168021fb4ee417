import { daysBetween } from '../../lib/dates.ts';
import { countCharacters } from '../../lib/text.ts';
import type { Confidence, HintEvidence, MarketEvidence, Scored } from './evidence.ts';
import { difficultyFormulas, trafficFormulas, type TrafficFormula } from './formulas.ts';
import { knowsStrength, readPlaces, type Place } from './strength.ts';
import { clamp, meanOf, toScore, weigh } from './weigh.ts';

type Rules = TrafficFormula['normalisations'];

const freshDays = 14;
const denseLetters = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/**
 * How much a phrase is searched for, 0–100. Pure. What the store offers while somebody types comes first; without it
 * the rest is weighed alone and confidence is low. Null where the evidence would be too thin.
 */
export function scoreTraffic(evidence: MarketEvidence): Scored {
  const formula = trafficFormulas[evidence.store];
  const hints = usableHints(evidence);
  const places = evidence.serp
    ? readPlaces(evidence.phrase, evidence.serp, difficultyFormulas[evidence.store])
    : null;
  const weighed = weigh('traffic', formula.weights, {
    hints: hints && valueOfHints(hints, evidence.phrase.text, formula.normalisations),
    charts: places && valueOfCharts(places, evidence, formula.normalisations),
    serp: places && valueOfPlaces(places, evidence),
  });
  const isEnough = weighed.value !== null && weighed.known >= formula.normalisations.leastEvidence;
  return {
    score: isEnough ? toScore(weighed.value!) : null,
    evidence: isEnough ? weighed.evidence : [],
    missing: weighed.missing,
    confidence: confidenceOf(evidence, hints),
  };
}

/** Hints that are not too old to say something of today. */
export function usableHints({ hints, asOf, store }: MarketEvidence): HintEvidence | null {
  if (hints === null || hints.offered.length === 0) return null;
  return daysBetween(hints.date, asOf) > trafficFormulas[store].normalisations.hintMaxAgeDays
    ? null
    : hints;
}

/** The shortest prefix at which the phrase was offered; null: it was not, not even typed out. */
export function shortestOffer({ offered }: HintEvidence): { prefix: string; place: number } | null {
  const offers = offered.flatMap(([prefix, place]) => (place === null ? [] : [{ prefix, place }]));
  return (
    offers.toSorted((a, b) => countCharacters(a.prefix) - countCharacters(b.prefix))[0] ?? null
  );
}

/** A phrase that is not offered is worth 0: that is an answer, not a missing one. */
function valueOfHints(hints: HintEvidence, phrase: string, rules: Rules): number {
  const offer = shortestOffer(hints);
  if (!offer) return 0;
  const typed = countTyped(offer.prefix, rules);
  const early = clamp(1 - Math.log(typed) / Math.log(rules.hintCharactersForNone));
  const saved = clamp(1 - typed / countTyped(phrase, rules));
  const place = clamp(1 - (offer.place - 1) / rules.hintPlaces);
  const worth = early * (rules.hintUnsavedShare + (1 - rules.hintUnsavedShare) * saved);
  return rules.hintEarly * worth + (1 - rules.hintEarly) * place;
}

/** Letters that carry a syllable or a word count for more. */
function countTyped(text: string, rules: Rules): number {
  const denseCount = text.match(denseLetters)?.length ?? 0;
  return Math.max(1, countCharacters(text) + denseCount * (rules.hintDenseCharacter - 1));
}

function valueOfCharts(
  places: readonly Place[],
  { serp, chartsKnown }: MarketEvidence,
  rules: Rules,
): number | null {
  if (!chartsKnown || !serp) return null;
  const presence = serp.top.map(({ chartPlace }, index) => {
    const value =
      chartPlace === null ? 0 : clamp(1 - Math.log(chartPlace) / Math.log(rules.chartPlaces + 1));
    return value * (places[index]!.title > 0 ? 1 : rules.chartUnrelatedTitle);
  });
  return presence.reduce((sum, value) => sum + value, 0) / Math.max(1, places.length);
}

/** Strong apps that name the phrase in their titles would not do so for a phrase nobody types. */
function valueOfPlaces(places: readonly Place[], { store }: MarketEvidence): number | null {
  if (!knowsStrength(places, difficultyFormulas[store].normalisations)) return null;
  return (
    meanOf(places.flatMap(({ strength, title }) => (strength === null ? [] : strength * title))) ??
    0
  );
}

function confidenceOf({ serp, asOf }: MarketEvidence, hints: HintEvidence | null): Confidence {
  if (!hints) return 'low';
  return serp && daysBetween(hints.date, asOf) <= freshDays ? 'high' : 'medium';
}
