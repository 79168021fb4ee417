import './api.fixtures.ts';
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, test, vi } from 'vitest';
import { addDays } from '#lib/dates.ts';
import { findHistogram, groupByCountry } from '#web/pages/reviews/country-ratings.ts';
import { buildRatingsChart } from '#web/pages/reviews/ratings-chart.ts';
import { ratingQuery } from '#web/queries/overview.ts';
import { collectRatings, ratingsQuery, type RatingDay } from '#web/queries/reviews.ts';
import { stubApi } from './api.fixtures.ts';

// Another file of this process may have loaded the client with a fetch of its own.
vi.hoisted(() => vi.resetModules());

const ratingOf = (date: string, country: string): RatingDay => ({
  date,
  country,
  rating: 4.5,
  ratingCount: 100,
  histogram: null,
});

describe('the chart of ratings', () => {
  test('has all days of the calendar, and gaps where there is no rating', () => {
    const days = ['2026-11-01', '2026-11-02', '2026-11-05'].map((day) => ratingOf(day, 'de'));
    const { columns, layers } = buildRatingsChart([{ country: 'de', days }]);
    expect(columns).toEqual([1, 2, 3, 4, 5].map((day) => `2026-11-0${day}`));
    expect(layers).toMatchObject([{ kind: 'line', values: [4.5, 4.5, null, null, 4.5] }]);
  });

  test('also has the days on which only the compared period has a rating', () => {
    const compared = new Map([['2026-11-03', ratingOf('2026-10-03', 'de')]]);
    const days = [ratingOf('2026-11-01', 'de')];
    const { columns, layers } = buildRatingsChart([{ country: 'de', days, compared }]);
    expect(columns).toEqual(['2026-11-01', '2026-11-02', '2026-11-03']);
    expect(layers[0]).toMatchObject({ values: [null, null, 4.5] });
  });

  test.each([1, 4.5, 4.78, 4.9, 5])('labels each tick with its own value from %d', (rating) => {
    const days = [{ ...ratingOf('2026-11-01', 'de'), rating }];
    const { ticks, format } = buildRatingsChart([{ country: 'de', days }]).axis;
    expect(ticks.map((tick) => Number(format(tick)))).toEqual(ticks);
  });
});

test('the histogram is the newest one of the country with the most ratings', () => {
  const histogram = [1, 2, 3, 4, 5];
  const small = { ...ratingOf('2026-11-21', 'is'), ratingCount: 15, histogram };
  const yesterday = { ...ratingOf('2026-11-20', 'us'), histogram };
  const earlier = { ...ratingOf('2026-11-19', 'us'), histogram };
  // The page with the stars of today is not read.
  const today = ratingOf('2026-11-21', 'us');
  const found = (days: RatingDay[]) => findHistogram(groupByCountry(days));
  expect(found([small, today, yesterday, earlier])).toEqual(yesterday);
  expect(found([small, today])).toEqual(small);
  expect(found([today])).toBeUndefined();
});

describe('the ratings of a period', () => {
  const to = '2026-11-21';
  const countries = Array.from({ length: 150 }, (_, index) => `c${index}`);
  /** The newest day first, as the API lists them. */
  const list = (dayCount: number) =>
    Array.from({ length: dayCount }, (_, back) => addDays(to, -back)).flatMap((day) =>
      countries.map((country) => ratingOf(day, country)),
    );
  const pagesOf = (ratings: RatingDay[]) => (cursor: string | undefined) => {
    const end = Number(cursor ?? 0) + 500;
    return Promise.resolve({
      items: ratings.slice(end - 500, end),
      nextCursor: end < ratings.length ? String(end) : null,
      total: null,
    });
  };

  test('are read whole: 90 days of 150 countries', async () => {
    const span = { from: addDays(to, -89), to };
    const read = await collectRatings(span, pagesOf(list(90)));
    expect(read.days).toHaveLength(90 * countries.length);
    expect(read.span).toEqual(span);
  });

  test('are cut after a whole day if there are too many, and say which days', async () => {
    const span = { from: addDays(to, -364), to };
    const read = await collectRatings(span, pagesOf(list(365)));
    // 20,000 ratings have 133 whole days of 150 countries.
    expect(read.span).toEqual({ from: addDays(to, -132), to });
    expect(read.days).toHaveLength(133 * countries.length);
    expect(read.days.at(-1)!.date).toBe(read.span.from);
  });
});

test('the overview and the reviews cache the ratings of a country separately', async () => {
  const span = { from: '2026-11-01', to: '2026-11-21' };
  const days = [ratingOf(span.to, 'us')];
  stubApi(() => ({ items: days, nextCursor: null, total: 1 }));
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } },
  });
  expect(await client.fetchQuery(ratingQuery(1, 'us', span))).toEqual(days);
  expect(await client.fetchQuery(ratingsQuery(1, 'us', span))).toEqual({ days, span });
});
