import type {
  DifficultyFormula,
  DifficultySignal,
  TrafficFormula,
  TrafficSignal,
} from './formulas.ts';
import type { opportunityFormula } from './formulas.ts';

/** Descriptions of the weights. The compiler matches these tables to the formulas. */
export const signalMeanings: Record<DifficultySignal | TrafficSignal, string> = {
  strength:
    'Median strength of the first results. Strength is log10(1 + rating count) / log10(1 + ' +
    'ratingsForFull), at most 1.',
  leaders: 'Mean strength of the leaders: the first results are the hardest to pass.',
  titles:
    'Title match of the phrase over the first results, the first one counting most (weight 1 ' +
    '/ log2(1 + position)).',
  quality: 'Mean star rating of the first results between qualityFrom and qualityTo.',
  age: 'Median age since release of the first results, where known.',
  hints: 'How early the store offers the phrase while it is typed, and at which position.',
  charts:
    'Mean presence of the first results in the country’s top charts: 1 - ln(position) / ' +
    'ln(chartPositions + 1).',
  serp: 'Mean over the first results of strength × title match.',
};

type Name =
  | keyof DifficultyFormula['normalisations']
  | keyof TrafficFormula['normalisations']
  | keyof (typeof opportunityFormula)['normalisations'];

export const normalisationMeanings: Record<Name, string> = {
  positions: 'The number of first results. A position that the store leaves empty counts as 0.',
  leaders: 'The number of first results that are leaders.',
  ratingsForFull: 'Ratings at which an app has full strength.',
  unknownRatingsAreNone:
    'Whether an app without a shown rating count has none or an unknown number; stores differ.',
  ratingsKnownShare:
    'Below this share of known rating counts, strength and leaders are missing instead of guessed.',
  unrelatedTitle:
    'An app whose title shares no word with the phrase may be filler: its strength is ' +
    'multiplied by this factor.',
  titleAllWords: 'Title match with all words anywhere; 1 when they are adjacent and in order.',
  titleAllWordsClose: 'Added in proportion to how close together the words are.',
  titleSomeWords: 'Title match per share of the words, when some are missing.',
  qualityFrom: 'Star rating worth 0.',
  qualityTo: 'Star rating worth 1.',
  ageYearsForFull: 'Years after which an app counts as fully established.',
  ageKnownApps: 'With fewer known release dates the age is missing.',
  brandStrength:
    'Strength at which a leader whose name and developer contain the phrase makes it a brand.',
  brandLift: 'Share of the remainder up to 100 that a brand adds.',
  hintPositions: 'The number of positions in the store’s autocomplete list.',
  hintCharactersForNone:
    'Typed characters at which an early offer has no value: 1 - ln(typed) / ln(this).',
  hintDenseCharacter:
    'A Chinese, Japanese or Korean character counts as this many typed characters.',
  hintEarly: 'Share of the signal for how early the phrase is offered; the rest is its position.',
  hintUnsavedShare: 'The value of an early offer when the whole phrase was typed.',
  hintMaxAgeDays: 'Older hints are missing.',
  chartPositions: 'The number of chart positions that count.',
  chartMaxAgeDays: 'Older charts are missing.',
  chartUnrelatedTitle:
    'A charting app whose title shares no word with the phrase may be filler: it is ' +
    'multiplied by this factor.',
  leastEvidence: 'There is no score when the present signals weigh less than this together.',
  clickDecay:
    'Share of clicks at a position is 1 / position^this; headroom is the rest, 100 when the ' +
    'app is not found.',
  relevanceFloor: 'Relevance of a phrase that the listing does not contain.',
  relevanceName: 'Weight of words found in the name.',
  relevanceSubtitle: 'Weight of words found in subtitle or short description.',
  relevanceDescription: 'Weight of words found in the description.',
  relevanceTop10: 'Minimum relevance of a phrase for which the app ranks in the top ten.',
  relevanceTop50: 'Minimum relevance within the top fifty.',
  relevanceRanked: 'Minimum relevance anywhere in the results.',
};
