import { z } from 'zod';
import type { Client } from '#client/http.ts';
import { requestAll } from '../request-all.ts';
import { appId, country, cursor, day, notice, page, shortLimit } from '../common-schemas.ts';
import { defineTool } from '../tool.ts';
import { cut, truncateOrNull, lines, quote, storeTextNotice, formatCount } from '../text-format.ts';

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
  description: 'Reviews since a day (default: the last 30), counts by stars, frequent phrases.',
  kind: 'read',
  input: z.strictObject({
    appId,
    rating: z.array(z.int().min(1).max(5)).min(1).max(5).optional(),
    since: day.optional(),
    country: country.optional(),
    query: z.string().optional(),
    sort: z.enum(['newest', 'lowest']).default('newest'),
    limit: shortLimit.default(10),
    cursor: cursor.optional(),
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
  async run(api, { appId: id, rating, since, country: market, query, ...rest }) {
    const stars = rating && [...new Set(rating)].join(',');
    const filter = { from: since, country: market };
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
      formatCount(reviews.length, list, 'reviews', 'rating, since, country or query'),
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
  given: { from: string | undefined; country: string | undefined; rating: string | undefined },
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

export const reviewTools = [listReviews];
