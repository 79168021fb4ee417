import { mapStores, type StoreName } from '#domain/base/ports.ts';

export const difficultySignals = ['strength', 'leaders', 'titles', 'quality', 'age'] as const;
export const trafficSignals = [
  'early',
  'rank',
  'continuations',
  'length',
  'charts',
  'serp',
] as const;

export type DifficultySignal = (typeof difficultySignals)[number];
export type TrafficSignal = (typeof trafficSignals)[number];

export interface DifficultyFormula {
  id: string;
  store: StoreName;
  weights: Readonly<Record<DifficultySignal, number>>;
  normalisations: {
    positions: number;
    ratingsForNone: number;
    ratingsForFull: number;
    unknownRatingsAreNone: boolean;
    unrelatedTitle: number;
    titleAllWords: number;
    titleAllWordsClose: number;
    titleSomeWords: number;
    qualityFrom: number;
    qualityTo: number;
    ageYearsForFull: number;
    brandStrength: number;
    brandLift: number;
    brandPositions: number;
    freshDays: number;
    rangeBase: number;
    rangeMissing: number;
    rangeOld: number;
  };
}

export interface TrafficFormula {
  id: string;
  store: StoreName;
  weights: Readonly<Record<TrafficSignal, number>>;
  normalisations: {
    hintPositions: number;
    hintCharactersForNone: number;
    hintDenseCharacter: number;
    hintMaxAgeDays: number;
    neverOfferedWeight: number;
    suggestsSingleWordsSeldom: boolean;
    pluralValue: number;
    chartPositions: number;
    chartMaxAgeDays: number;
    chartUnrelatedTitle: number;
    serpBest: number;
    leastEvidence: number;
    freshDays: number;
    rangeBase: number;
    rangeMissing: number;
    rangeOld: number;
    rangeNeverOffered: number;
  };
}

/**
 * The number after the `@` of every formula's id. Evidence is stored, so a newer version can be
 * computed for the past.
 */
export const formulaVersion = 2;

/** Half the width of a score's range, in points: the least, and what is added to it. */
const ranges = { freshDays: 14, rangeBase: 8, rangeMissing: 36, rangeOld: 8 };

const sharedDifficulty = {
  positions: 10,
  unrelatedTitle: 0.75,
  titleAllWords: 0.85,
  titleAllWordsClose: 0.1,
  titleSomeWords: 0.5,
  qualityFrom: 3,
  qualityTo: 5,
  ageYearsForFull: 8,
  brandStrength: 0.3,
  brandLift: 0.35,
  brandPositions: 10,
  ...ranges,
};

const sharedTraffic = {
  hintCharactersForNone: 24,
  hintDenseCharacter: 2,
  hintMaxAgeDays: 30,
  neverOfferedWeight: 0.5,
  pluralValue: 0.5,
  chartPositions: 200,
  chartMaxAgeDays: 7,
  chartUnrelatedTitle: 0.25,
  serpBest: 0.5,
  leastEvidence: 0.11,
  ...ranges,
  rangeNeverOffered: 6,
};

/** Older charts count in no store. */
export const { chartMaxAgeDays } = sharedTraffic;

/**
 * The weights and normalizations of each store. Those that depend on how much a store shows are in
 * its profile, and the others here. The code reads them and GET /scores/formulas prints them.
 */
export const difficultyFormulas: Record<StoreName, DifficultyFormula> = mapStores(
  ({ id, scores: { difficulty } }) => ({
    id: `difficulty.${id}@${formulaVersion}`,
    store: id,
    weights: difficulty.weights,
    normalisations: {
      ...sharedDifficulty,
      ratingsForNone: difficulty.ratingsForNone,
      ratingsForFull: difficulty.ratingsForFull,
      unknownRatingsAreNone: difficulty.unknownRatingsAreNone,
    },
  }),
);

export const trafficFormulas: Record<StoreName, TrafficFormula> = mapStores(
  ({ id, hints, scores }) => ({
    id: `traffic.${id}@${formulaVersion}`,
    store: id,
    weights: scores.traffic.weights,
    normalisations: {
      ...sharedTraffic,
      hintPositions: hints.positions,
      suggestsSingleWordsSeldom: scores.traffic.suggestsSingleWordsSeldom,
    },
  }),
);

export const opportunityFormula = {
  id: 'opportunity@1',
  normalisations: {
    clickDecay: 0.8,
    relevanceFloor: 0.4,
    relevanceName: 1,
    relevanceSubtitle: 0.9,
    relevanceDescription: 0.7,
    relevanceTop10: 1,
    relevanceTop50: 0.8,
    relevanceRanked: 0.6,
  },
};

/** The numbers of first results for which there is a difficulty, besides the one of ten. */
export const otherPositions = { top5: 5, top20: 20 } as const;
/** The results that formulas read. */
export const readPositions = 20;

/** The formulas of a stored pair of scores. */
export function formulaOf(store: StoreName): string {
  return `${trafficFormulas[store].id}+${difficultyFormulas[store].id}`;
}
