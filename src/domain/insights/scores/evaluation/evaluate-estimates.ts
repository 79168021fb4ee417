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
export async function evaluateEstimates(
  phrases: readonly EstimatedPhrase[],
  { seed }: { seed: number },
): Promise<Evaluation> {
  const stores: StoreEvaluation[] = [];
  for (const store of storeNames) {
    const own = phrases.filter((phrase) => phrase.store === store);
    if (own.length > 0) stores.push(await evaluateStore(store, own, seed));
  }
  return { seed, stores };
}

async function evaluateStore(
  store: StoreName,
  phrases: readonly EstimatedPhrase[],
  seed: number,
): Promise<StoreEvaluation> {
  const groupBy = async (nameOf: (phrase: EstimatedPhrase) => string): Promise<Group[]> => {
    const groups: Group[] = [];
    const named = [...Map.groupBy(phrases, nameOf)].toSorted(([a], [b]) => (a < b ? -1 : 1));
    for (const [name, own] of named) groups.push({ name, ...(await measure(own, seed)) });
    return groups;
  };
  return {
    store,
    formula: trafficFormulas[store].id,
    ...(await measure(phrases, seed)),
    withoutEstimate: phrases.filter(({ estimate }) => estimate === null).length,
    genres: await groupBy(({ genre }) => genre ?? 'unknown'),
    lengths: await groupBy(({ words }) => (words >= longest ? `${longest}+` : String(words))),
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

async function measure(phrases: readonly EstimatedPhrase[], seed: number): Promise<Measures> {
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
    spearman: await correlateWithInterval(
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
