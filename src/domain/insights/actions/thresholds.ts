/**
 * The thresholds of all rules, stated only here. docs/actions.md prints them, and a test compares
 * the two.
 */
export const thresholds = {
  'rank-drop': {
    minTraffic: 40,
    highTraffic: 60,
    minPositions: 5,
    usualWithin: 50,
    fewestCheckedDays: 7,
    confirmedByChecks: 2,
  },
  'striking-distance': {
    top10Within: 15,
    top3Within: 6,
    checksInARow: 3,
    minTraffic: 30,
    mediumTraffic: 50,
  },
  'missing-keyword': { minOpportunity: 25, highOpportunity: 40 },
  'keyword-field-waste': { minWastedCharacters: 8, minUnusedCharacters: 20, mediumCharacters: 30 },
  'unused-title': { minUnusedTitle: 10, minUnusedSubtitle: 10, minUnusedSummary: 25 },
  'competitor-entered': {
    top: 10,
    fewestCheckedDays: 7,
    minTraffic: 40,
    ownWithin: 20,
    withinDays: 14,
  },
  'competitor-changed': { withinDays: 14 },
  'keyword-gap': { competitorWithin: 20, minTraffic: 40, highTraffic: 60 },
  'review-theme': {
    maxRating: 2,
    withinDays: 30,
    minReviews: 3,
    minShare: 0.2,
    highReviews: 10,
    readWithinDays: 3,
  },
  'rating-fell': {
    minFall: 0.1,
    mediumFall: 0.2,
    highFall: 0.3,
    minRatings: 50,
    overDays: 30,
    baselineReachDays: 7,
    readWithinDays: 7,
  },
  'hopeless-keyword': { minDifficulty: 70, overDays: 30, fewestCheckedDays: 20 },
  'untracked-country': { minTraffic: 50, minPhrases: 3, minRatings: 100 },
  'webhook-failing': { failingHours: 24, minFailures: 5 },
  'store-check-failing': { minDays: 3, highShare: 0.5 },
} as const;

/** Days of checks that the rules need. */
export const dailyRankDays = 30;
/** Important keywords of an app that are searched for entrants, those with the most traffic. */
export const maxSearchedForEntrants = 300;
/** Phrases that a suggested country names, those with the most traffic. */
export const maxNamedPhrases = 10;
/** With an older latest check, nothing is found and nothing is ended. */
export const positionMaxAgeDays = 3;
/**
 * The maximum of open actions per type and app. The most severe ones come first, and others follow
 * when there is space.
 */
export const maxOpenPerType = 20;
/** Evidence that returns within this many days reopens the same action. */
export const reopenWindowDays = 14;
