import { storeNames, type StoreName } from '#domain/base/ports.ts';
import { trafficFormulas } from '../formulas.ts';
import type { Confidence, EvidenceItem } from '../evidence.ts';
import { areaUnderCurve, correlateWithInterval, round, type Interval } from './statistics.ts';

/** A phrase with its label and with the traffic that its stored evidence gives. */
export interface EstimatedPhrase {
  store: StoreName;
  country: string;
  phrase: string;
  words: number;
  genre: string | null;
  /** 0–100; null: the publisher does not list the phrase. */
  popularity: number | null;
  /** Null: there is no evidence, or too little. */
  estimate: number | null;
  confidence: Confidence;
  evidence: EvidenceItem[];
}

interface Measures {
  /** Phrases with a label and an estimate. */
  n: number;
  spearman: Interval | null;
  meanAbsoluteError: number | null;
  /** Positive: estimates are too high. */
  meanError: number | null;
  unlisted: number;
  /** Listed against unlisted phrases. */
  auc: number | null;
}

interface Group extends Measures {
  name: string;
}

export interface StoreEvaluation extends Measures {
  store: StoreName;
  formula: string;
  withoutEstimate: number;
  genres: Group[];
  lengths: Group[];
  worst: (Omit<EstimatedPhrase, 'popularity' | 'estimate'> & {
    popularity: number;
    estimate: number;
    error: number;
  })[];
}

export interface Evaluation {
  seed: number;
  stores: StoreEvaluation[];
}

const worstCount = 20;
const longest = 4;

/**
 * Compares estimates with labels, by store because scores of stores are not comparable. Pure: the
 * same phrases and seed give the same numbers.
 */
export function evaluateEstimates(
  phrases: readonly EstimatedPhrase[],
  { seed }: { seed: number },
): Evaluation {
  return {
    seed,
    stores: storeNames.flatMap((store) => {
      const own = phrases.filter((phrase) => phrase.store === store);
      return own.length === 0 ? [] : [evaluateStore(store, own, seed)];
    }),
  };
}

function evaluateStore(
  store: StoreName,
  phrases: readonly EstimatedPhrase[],
  seed: number,
): StoreEvaluation {
  const groupBy = (nameOf: (phrase: EstimatedPhrase) => string): Group[] =>
    [...Map.groupBy(phrases, nameOf)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, own]) => ({ name, ...measure(own, seed) }));
  return {
    store,
    formula: trafficFormulas[store].id,
    ...measure(phrases, seed),
    withoutEstimate: phrases.filter(({ estimate }) => estimate === null).length,
    genres: groupBy(({ genre }) => genre ?? 'unknown'),
    lengths: groupBy(({ words }) => (words >= longest ? `${longest}+` : String(words))),
    worst: listLabelled(phrases)
      .map((phrase) => ({ ...phrase, error: phrase.estimate - phrase.popularity }))
      .toSorted((a, b) => Math.abs(b.error) - Math.abs(a.error))
      .slice(0, worstCount),
  };
}

type Labelled = EstimatedPhrase & { popularity: number; estimate: number };

const listLabelled = (phrases: readonly EstimatedPhrase[]): Labelled[] =>
  phrases.filter(
    (phrase): phrase is Labelled => phrase.popularity !== null && phrase.estimate !== null,
  );

function measure(phrases: readonly EstimatedPhrase[], seed: number): Measures {
  const labelled = listLabelled(phrases);
  const unlisted = phrases.flatMap(({ popularity, estimate }) =>
    popularity === null && estimate !== null ? [estimate] : [],
  );
  const meanOf = (valueOf: (phrase: Labelled) => number) =>
    labelled.length === 0
      ? null
      : round(labelled.reduce((sum, phrase) => sum + valueOf(phrase), 0) / labelled.length);
  return {
    n: labelled.length,
    spearman: correlateWithInterval(
      labelled.map(({ estimate, popularity }) => [{ a: estimate, b: popularity }]),
      seed,
    ),
    meanAbsoluteError: meanOf(({ estimate, popularity }) => Math.abs(estimate - popularity)),
    meanError: meanOf(({ estimate, popularity }) => estimate - popularity),
    unlisted: unlisted.length,
    auc: areaUnderCurve(
      labelled.map(({ estimate }) => estimate),
      unlisted,
    ),
  };
}
