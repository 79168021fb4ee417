import type { RatingDay } from '#web/queries/reviews.ts';

export interface CountryRating {
  country: string;
  days: RatingDay[];
  first: RatingDay;
  last: RatingDay;
}

/** Countries with the most ratings first. Days without a rating are left out. */
export function groupByCountry(days: readonly RatingDay[]): CountryRating[] {
  const summary = days
    .filter(({ rating }) => rating !== null)
    .toSorted((a, b) => a.date.localeCompare(b.date));
  return [...Map.groupBy(summary, ({ country }) => country)]
    .map(([country, own]) => ({ country, days: own, first: own[0]!, last: own.at(-1)! }))
    .toSorted((a, b) => (b.last.ratingCount ?? 0) - (a.last.ratingCount ?? 0));
}

/**
 * The newest day with a histogram, of the first country that has one. The App Store's page with the
 * stars is read after the rating, and on some days not at all.
 */
export const findHistogram = (countries: readonly CountryRating[]): RatingDay | undefined =>
  countries
    .map(({ days }) => days.findLast(({ histogram }) => histogram !== null))
    .find((day) => day !== undefined);
