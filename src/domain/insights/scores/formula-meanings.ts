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
    'Mean strength of the first results, higher ones counting more. Strength is 0 up to ' +
    'ratingsForNone ratings, 1 from ratingsForFull, and logarithmic between them.',
  leaders: 'The same with steeper weights: the first results are the hardest to pass.',
  titles: 'Title match of the phrase over the first results, the first one counting most.',
  quality: 'Mean star rating of the first results between qualityFrom and qualityTo.',
  age: 'Mean age since release of the first results, where known, full at ageYearsForFull.',
  early: 'How early the store suggests the phrase: 1 - ln(typed) / ln(hintCharactersForNone).',
  rank: 'Mean position among the suggestions, over the responses with the phrase.',
  continuations:
    'The number of suggestions that continue the whole phrase, on a log scale: people search ' +
    'for variants of popular phrases.',
  length:
    '1 / number of words: a longer phrase is searched less on average. Its weight is in ' +
    'proportion to the known weight of the other signals.',
  charts:
    'Mean presence of the first results in the country’s top charts: 1 - ln(position) / ' +
    'ln(chartPositions + 1).',
  serp: 'Strength × title match over the first results: their mean, and the best by serpBest.',
};

type Name =
  | keyof DifficultyFormula['normalisations']
  | keyof TrafficFormula['normalisations']
  | keyof (typeof opportunityFormula)['normalisations'];

export const normalisationMeanings: Record<Name, string> = {
  positions: 'The number of first results. A position that the store leaves empty counts as 0.',
  ratingsForNone: 'Up to this many ratings an app has no strength.',
  ratingsForFull: 'Ratings at which an app has full strength.',
  unknownRatingsAreNone:
    'Whether an app without a shown rating count has none or an unknown number; stores differ. ' +
    'The number of an app that shows a rating is unknown.',
  unrelatedTitle:
    'An app whose title shares no word with the phrase may be filler: its strength is ' +
    'multiplied by this factor.',
  titleAllWords:
    'Title match with all words anywhere; 1 when they are adjacent and in order, or written ' +
    'together.',
  titleAllWordsClose: 'Added in proportion to how close together the words are.',
  titleSomeWords: 'Title match per share of the words, when some are missing.',
  qualityFrom: 'Star rating worth 0.',
  qualityTo: 'Star rating worth 1.',
  ageYearsForFull: 'Years after which an app counts as fully established.',
  brandStrength:
    'Strength from which an app whose name and developer contain the phrase makes it a brand.',
  brandLift: 'Share of the remainder up to 100 that a brand in the first position adds.',
  brandPositions: 'The lift falls evenly to 0 at this many positions below the first.',
  freshDays: 'Older evidence widens the range.',
  rangeBase: 'Half the width of the range with complete evidence, in points.',
  rangeMissing: 'Added to it in proportion to the weight without evidence.',
  rangeOld: 'Added to it for old evidence.',
  rangeNeverOffered: 'Added to it for a phrase that is never suggested.',
  hintPositions: 'The number of positions in the store’s autocomplete list.',
  hintCharactersForNone:
    'Typed characters at which an early offer has no value: 1 - ln(typed) / ln(this).',
  hintDenseCharacter:
    'A Chinese, Japanese or Korean character counts as this many typed characters.',
  hintMaxAgeDays: 'Older hints are missing.',
  neverOfferedWeight:
    'Share of the weight of early and rank when the phrase is never suggested: stores suggest ' +
    'only some of the popular phrases.',
  suggestsSingleWordsSeldom:
    'Whether a single word that is continued but not suggested itself counts by its ' +
    'continuations alone.',
  pluralValue: 'Least value of the continuations of a word whose plural is suggested.',
  chartPositions: 'The number of chart positions that count.',
  chartMaxAgeDays: 'Older charts are missing.',
  chartUnrelatedTitle:
    'A charting app whose title shares no word with the phrase may be filler: it is ' +
    'multiplied by this factor.',
  serpBest: 'Share of the best result in serp; the remainder is the mean.',
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
