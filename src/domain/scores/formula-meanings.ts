import type {
  DifficultyFormula,
  DifficultySignal,
  TrafficFormula,
  TrafficSignal,
} from './formulas.ts';
import type { opportunityFormula } from './formulas.ts';

/** What each weight weighs, for people. The compiler holds these tables to the formulas. */
export const signalMeanings: Record<DifficultySignal | TrafficSignal, string> = {
  strength:
    'Median strength of the first places. Strength is log10(1 + rating count) / log10(1 + ratingsForFull), at most 1.',
  leaders: 'Mean strength of the leaders: who stands first is hardest to pass.',
  titles:
    'How far the titles of the first places name the phrase, the first place counting most (weight 1 / log2(1 + place)).',
  quality: 'Mean star rating of the first places between qualityFrom and qualityTo.',
  age: 'Median age since release of the first places, where it is known.',
  hints: 'How soon the store offers the phrase while somebody types it, and in which place.',
  charts:
    'Mean presence of the first places in the country’s top charts: 1 - ln(place) / ln(chartPlaces + 1).',
  serp: 'Mean over the first places of strength × how far the title names the phrase.',
};

type Name =
  | keyof DifficultyFormula['normalisations']
  | keyof TrafficFormula['normalisations']
  | keyof (typeof opportunityFormula)['normalisations'];

export const normalisationMeanings: Record<Name, string> = {
  places: 'First places looked at. A place that the store says nobody holds counts as 0.',
  leaders: 'First places that are leaders.',
  ratingsForFull: 'Ratings from which on an app has full strength.',
  unknownRatingsAreNone:
    'Whether an app without a shown rating count has none (iOS) or one we do not know (Android).',
  ratingsKnownShare:
    'Below this share of known rating counts, strength and leaders are missing instead of guessed.',
  unrelatedTitle:
    'An app whose title shares no word with the phrase may be there as padding: its strength counts by this factor.',
  titleAllWords:
    'Title value when all words are there, anywhere; 1 when they stand in a row as in the phrase.',
  titleAllWordsClose: 'Added to that in the measure in which the words stand close together.',
  titleSomeWords: 'Title value per share of the words, when some are missing.',
  qualityFrom: 'Star rating worth 0.',
  qualityTo: 'Star rating worth 1.',
  ageYearsForFull: 'Years from which on an app counts as fully established.',
  ageKnownApps: 'With fewer known release dates the age is missing.',
  brandStrength:
    'Strength from which on a leader whose name and developer carry the phrase makes it a brand.',
  brandLift: 'Share of what is left up to 100 that a brand adds.',
  hintPlaces: 'Places in the store’s list of offers.',
  hintCharactersForNone:
    'Typed characters after which an early offer is worth nothing more: 1 - ln(typed) / ln(this).',
  hintDenseCharacter: 'A letter of Chinese, Japanese or Korean counts as so many typed characters.',
  hintEarly: 'Share of the signal for how early the phrase is offered; the rest is its place.',
  hintUnsavedShare: 'What an early offer is worth when nothing of the phrase was left to type.',
  hintMaxAgeDays: 'Older hints are missing.',
  chartPlaces: 'Places of a chart that count.',
  chartMaxAgeDays: 'Older charts are missing.',
  chartUnrelatedTitle:
    'A charting app whose title shares no word with the phrase may be there as padding: it counts by this factor.',
  leastEvidence:
    'When the signals that are there weigh less than this together, there is no score.',
  clickDecay:
    'Share of clicks at a position is 1 / position^this; headroom is what is left of it, 100 where the app is not found.',
  relevanceFloor: 'Relevance of a phrase that the listing does not name.',
  relevanceName: 'Weight of words found in the name.',
  relevanceSubtitle: 'Weight of words found in subtitle or short description.',
  relevanceDescription: 'Weight of words found in the description.',
  relevanceTop10: 'Relevance, at least, of a phrase for which the app stands in the first ten.',
  relevanceTop50: 'Relevance, at least, within the first fifty.',
  relevanceRanked: 'Relevance, at least, anywhere in the results.',
};
