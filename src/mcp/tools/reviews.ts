import { z } from 'zod';
import type { Client } from '#client/http.ts';
import { requestAll } from '../request-all.ts';
import {
  anyCountryArgument,
  appIdArgument,
  cursorArgument,
  fromArgument,
  shortLimitArgument,
  toArgument,
} from '../argument-schemas.ts';
import { notice, page } from '../common-schemas.ts';
import { defineTool } from '../tool.ts';
import { cut, truncateOrNull, lines, quote, storeTextNotice, formatCount } from '../text-format.ts';
import { getRatings } from './ratings.ts';

const summaryShape = z
  .object({
    count: z.int(),
    average: z.number().nullable(),
    stars: z.array(z.int()).describe('With 1 to 5 stars.'),
    topics: z.array(z.object({ phrase: z.string(), count: z.int(), average: z.number() })),
  })
  .nullable()
  .describe('On the first page.');

const listReviews = defineTool({
  name: 'list_reviews',
  title: 'Read reviews',
  description: 'Reviews, counts by stars, frequent phrases.',
  kind: 'read',
  input: z.strictObject({
    appId: appIdArgument,
    rating: z
      .array(z.int().min(1).max(5))
      .min(1)
      .max(5)
      .optional()
      .describe('Stars, such as [1, 2].'),
    from: fromArgument,
    to: toArgument,
    country: anyCountryArgument,
    query: z.string().optional().describe('Words of the text.'),
    sort: z.enum(['newest', 'lowest']).default('newest').describe('The first rows.'),
    limit: shortLimitArgument.default(10),
    cursor: cursorArgument,
  }),
  output: z.object({
    summary: summaryShape,
    reviews: z.array(
      z.object({
        reviewId: z.int(),
        rating: z.int(),
        title: z.string().nullable(),
        body: z.string(),
        country: z.string(),
        version: z.string().nullable(),
        date: z.string().nullable(),
        replied: z.boolean(),
      }),
    ),
    ...page,
    notice,
  }),
  async run(api, { appId: id, rating, from, to, country, query, ...rest }) {
    const stars = rating && [...new Set(rating)].join(',');
    const filter = { from, to, country };
    const [list, summary] = await requestAll([
      api('GET /apps/{id}/reviews', {
        params: { id },
        query: { ...rest, ...filter, q: query, rating: stars },
      }),
      rest.cursor === undefined ? readSummary(api, id, { ...filter, rating: stars }) : null,
    ]);
    const reviews = list.items.map((item) => ({
      reviewId: item.id,
      rating: item.rating,
      title: truncateOrNull(item.title, 120),
      body: cut(item.body, 500),
      country: item.country,
      version: item.version,
      date: item.reviewedAt?.slice(0, 10) ?? null,
      replied: item.reply !== null,
    }));
    const text = lines(
      formatCount(reviews.length, list, 'reviews', 'rating, from, to, country or query'),
      summary &&
        `All ${summary.count} of these days: average ${summary.average ?? '–'}; 1★ ` +
          `${summary.stars[0]}, 2★ ${summary.stars[1]}, 3★ ${summary.stars[2]}, 4★ ` +
          `${summary.stars[3]}, 5★ ${summary.stars[4]}.`,
      summary &&
        summary.topics.length > 0 &&
        `Frequent: ${summary.topics
          .map(({ phrase, count }) => `${quote(phrase, 60)} ×${count}`)
          .join(', ')}`,
      reviews.map(
        (row) =>
          `- ${row.rating}★ ${row.date ?? 'undated'} ` +
          `${row.country}${row.version === null ? '' : ` v${quote(row.version, 20)}`} ` +
          `(review ${row.reviewId}) ${quote(row.title)} ${quote(row.body, 500)}`,
      ),
      storeTextNotice,
    );
    return {
      text,
      data: {
        summary,
        reviews,
        total: list.total,
        nextCursor: list.nextCursor,
        notice: storeTextNotice,
      },
    };
  },
});

/** Counts cover all ratings of the period. Phrases come from the requested stars. */
async function readSummary(
  api: Client,
  id: number,
  given: Partial<Record<'from' | 'to' | 'country' | 'rating', string | undefined>>,
) {
  const { rating, ...range } = given;
  const [stats, topics] = await requestAll([
    api('GET /apps/{id}/reviews/stats', { params: { id }, query: { ...range, by: 'country' } }),
    api('GET /apps/{id}/reviews/topics', { params: { id }, query: { ...range, rating, limit: 5 } }),
  ]);
  const said = topics.items.map(({ phrase, count, average }) => ({
    phrase: cut(phrase, 60),
    count,
    average,
  }));
  return {
    count: stats.total.count,
    average: stats.total.average,
    stars: stats.total.stars,
    topics: said,
  };
}

export const reviewTools = [listReviews, getRatings];
