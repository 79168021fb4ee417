import { z } from 'zod';
import { addDays } from '#lib/dates.ts';
import type { AppFacts, RatingFacts } from '../facts.ts';
import { keyOf, type AppRule, type Finding } from '../rule.ts';
import { thresholds } from '../thresholds.ts';
import { count, formatCountry } from '../format-text.ts';

const type = 'rating-fell';
const rule = thresholds[type];
const fallen = z.object({
  before: z.object({ date: z.string() }),
  now: z.object({ date: z.string(), rating: z.number() }),
});

/** The app's rating in a country is lower than a month ago. */
export const ratingFell: AppRule = {
  type,
  scope: 'app',
  evaluate: (facts: AppFacts) => {
    const countries = [...Map.groupBy(facts.ratings, (row) => row.country)].map(
      ([country, rows]) => ({ country, ...pickRatings(facts, rows) }),
    );
    return {
      findings: countries.flatMap(({ country, before, now }) =>
        before && now ? (evaluate(facts.app.id, country, before, now) ?? []) : [],
      ),
      undecided:
        countries.length === 0
          ? [keyOf(type, facts.app.id)]
          : countries
              .filter(({ before, now }) => !before || !now)
              .map(({ country }) => keyOf(type, facts.app.id, country)),
    };
  },
  // On each day of a slide the rating of a month ago is another one. A lower rating is news, and so
  // is a fall that began after the closed one.
  isNews: (evidence, closed) => {
    const [is, was] = [evidence, closed].map((one) => fallen.safeParse(one).data);
    if (!is || !was) return null;
    return starsLost(was.now, is.now) > rule.minFall || is.before.date > was.now.date;
  },
};

type Rated = Pick<RatingFacts, 'rating'>;

const starsLost = (before: Rated, now: Rated): number =>
  Math.round((before.rating - now.rating) * 1_000) / 1_000;

function pickRatings(
  { today }: AppFacts,
  rows: readonly RatingFacts[],
): { before: RatingFacts | undefined; now: RatingFacts | undefined } {
  const inOrder = rows.toSorted((a, b) => (a.date < b.date ? -1 : 1));
  const now = inOrder.findLast((row) => row.date >= addDays(today, -rule.readWithinDays));
  const earlier = now && addDays(now.date, -rule.overDays);
  const before = inOrder.findLast(
    (row) =>
      earlier !== undefined &&
      row.date <= earlier &&
      row.date >= addDays(earlier, -rule.baselineReachDays),
  );
  return { before, now };
}

function evaluate(
  appId: number,
  country: string,
  before: RatingFacts,
  now: RatingFacts,
): Finding | null {
  const fall = starsLost(before, now);
  if (fall < rule.minFall || now.ratingCount === null || now.ratingCount < rule.minRatings)
    return null;
  const [was, is] = [before.rating.toFixed(2), now.rating.toFixed(2)];
  return {
    key: keyOf(type, appId, country),
    fingerprint: `${before.rating.toFixed(1)}>${now.rating.toFixed(1)}`,
    severity: fall >= rule.highFall ? 'high' : fall >= rule.mediumFall ? 'medium' : 'low',
    title: `The rating in ${formatCountry(country)} fell from ${was} to ${is}`,
    reason:
      `Between ${before.date} and ${now.date}, with ${count(now.ratingCount, 'rating')} now. ` +
      'Read the reviews from these weeks and check the versions released during them.',
    evidence: { country, before, now, fall },
    keywordIds: [],
    weight: fall,
  };
}
