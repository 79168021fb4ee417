import type { StoreName } from '../ports.ts';

export const difficultySignals = ['strength', 'leaders', 'titles', 'quality', 'age'] as const;
export const trafficSignals = ['hints', 'charts', 'serp'] as const;

export type DifficultySignal = (typeof difficultySignals)[number];
export type TrafficSignal = (typeof trafficSignals)[number];

export interface DifficultyFormula {
  id: string;
  store: StoreName;
  weights: Record<DifficultySignal, number>;
  normalisations: {
    places: number;
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
  weights: Record<TrafficSignal, number>;
  normalisations: {
    hintPlaces: number;
    hintCharactersForNone: number;
    hintDenseCharacter: number;
    hintEarly: number;
    hintUnsavedShare: number;
    hintMaxAgeDays: number;
    chartPlaces: number;
    chartMaxAgeDays: number;
    chartUnrelatedTitle: number;
    leastEvidence: number;
  };
}

const sharedDifficulty = {
  places: 10,
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
  chartPlaces: 200,
  chartMaxAgeDays: 7,
  chartUnrelatedTitle: 0.25,
  leastEvidence: 0.15,
};

/** Every weight and normalisation there is, and the only place they stand: the code reads them, GET /scores/formulas prints them. */
export const difficultyFormulas: Record<StoreName, DifficultyFormula> = {
  ios: {
    id: 'difficulty.ios@1',
    store: 'ios',
    weights: { strength: 0.4, leaders: 0.2, titles: 0.3, quality: 0.05, age: 0.05 },
    normalisations: { ...sharedDifficulty, ratingsForFull: 1_000_000, unknownRatingsAreNone: true },
  },
  android: {
    id: 'difficulty.android@1',
    store: 'android',
    weights: { strength: 0.35, leaders: 0.15, titles: 0.35, quality: 0.1, age: 0.05 },
    normalisations: {
      ...sharedDifficulty,
      ratingsForFull: 10_000_000,
      unknownRatingsAreNone: false,
    },
  },
};

export const trafficFormulas: Record<StoreName, TrafficFormula> = {
  ios: {
    id: 'traffic.ios@1',
    store: 'ios',
    weights: { hints: 0.7, charts: 0.12, serp: 0.18 },
    normalisations: { ...sharedTraffic, hintPlaces: 10 },
  },
  android: {
    id: 'traffic.android@1',
    store: 'android',
    weights: { hints: 0.75, charts: 0.1, serp: 0.15 },
    normalisations: { ...sharedTraffic, hintPlaces: 5 },
  },
};

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

/** The number behind the `@` of every formula's id; evidence is kept, so a newer one can be computed for the past. */
export const formulaVersion = 1;

/** What a stored pair of scores was made with. */
export function formulaOf(store: StoreName): string {
  return `${trafficFormulas[store].id}+${difficultyFormulas[store].id}`;
}
