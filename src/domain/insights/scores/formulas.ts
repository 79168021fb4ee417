import { mapStores, type StoreName } from '#domain/base/ports.ts';

export const difficultySignals = ['strength', 'leaders', 'titles', 'quality', 'age'] as const;
export const trafficSignals = ['hints', 'charts', 'serp'] as const;

export type DifficultySignal = (typeof difficultySignals)[number];
export type TrafficSignal = (typeof trafficSignals)[number];

export interface DifficultyFormula {
  id: string;
  store: StoreName;
  weights: Readonly<Record<DifficultySignal, number>>;
  normalisations: {
    positions: number;
    leaders: number;
    ratingsForFull: number;
    unknownRatingsAreNone: boolean;
    ratingsKnownShare: number;
    unrelatedTitle: number;
    titleAllWords: number;
    titleAllWordsClose: number;
    titleSomeWords: number;
    qualityFrom: number;
    qualityTo: number;
    ageYearsForFull: number;
    ageKnownApps: number;
    brandStrength: number;
    brandLift: number;
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
    hintEarly: number;
    hintUnsavedShare: number;
    hintMaxAgeDays: number;
    chartPositions: number;
    chartMaxAgeDays: number;
    chartUnrelatedTitle: number;
    leastEvidence: number;
  };
}

const sharedDifficulty = {
  positions: 10,
  leaders: 3,
  ratingsKnownShare: 0.5,
  unrelatedTitle: 0.75,
  titleAllWords: 0.85,
  titleAllWordsClose: 0.1,
  titleSomeWords: 0.5,
  qualityFrom: 3,
  qualityTo: 5,
  ageYearsForFull: 8,
  ageKnownApps: 3,
  brandStrength: 0.5,
  brandLift: 0.35,
};

const sharedTraffic = {
  hintCharactersForNone: 24,
  hintDenseCharacter: 2,
  hintEarly: 0.8,
  hintUnsavedShare: 0.5,
  hintMaxAgeDays: 30,
  chartPositions: 200,
  chartMaxAgeDays: 7,
  chartUnrelatedTitle: 0.25,
  leastEvidence: 0.15,
};

/** Older charts count in no store. */
export const { chartMaxAgeDays } = sharedTraffic;

/**
 * The weights and normalizations of each store. Those that depend on how much a store shows are in
 * its profile, and the others here. The code reads them and GET /scores/formulas prints them.
 */
export const difficultyFormulas: Record<StoreName, DifficultyFormula> = mapStores(
  ({ id, scores: { difficulty } }) => ({
    id: `difficulty.${id}@1`,
    store: id,
    weights: difficulty.weights,
    normalisations: {
      ...sharedDifficulty,
      ratingsForFull: difficulty.ratingsForFull,
      unknownRatingsAreNone: difficulty.unknownRatingsAreNone,
    },
  }),
);

export const trafficFormulas: Record<StoreName, TrafficFormula> = mapStores(
  ({ id, hints, scores }) => ({
    id: `traffic.${id}@1`,
    store: id,
    weights: scores.traffic.weights,
    normalisations: { ...sharedTraffic, hintPositions: hints.positions },
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

/**
 * The number after the `@` of every formula's id. Evidence is stored, so a newer version can be
 * computed for the past.
 */
export const formulaVersion = 1;

/** The formulas of a stored pair of scores. */
export function formulaOf(store: StoreName): string {
  return `${trafficFormulas[store].id}+${difficultyFormulas[store].id}`;
}
