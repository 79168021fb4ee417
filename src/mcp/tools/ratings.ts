import { z } from 'zod';
import {
  anyCountryArgument,
  appIdArgument,
  cursorArgument,
  fromArgument,
  toArgument,
} from '../argument-schemas.ts';
import { page } from '../common-schemas.ts';
import { defineTool } from '../tool.ts';
import { formatCount, formatRating, lines } from '../text-format.ts';

const daysMax = 60;

export const getRatings = defineTool({
  name: 'get_ratings',
  title: 'Ratings by day',
  description: 'Average rating and number of ratings by day and country.',
  kind: 'read',
  input: z.strictObject({
    appId: appIdArgument,
    country: anyCountryArgument,
    from: fromArgument,
    to: toArgument,
    cursor: cursorArgument,
  }),
  output: z.object({
    days: z.array(
      z.object({
        date: z.string(),
        country: z.string(),
        rating: z.number().nullable(),
        ratingCount: z.int().nullable(),
        stars: z.array(z.int()).nullable().describe('With 1 to 5 stars.'),
      }),
    ),
    ...page,
  }),
  async run(api, { appId: id, ...query }) {
    const list = await api('GET /apps/{id}/ratings', {
      params: { id },
      query: { ...query, limit: daysMax },
    });
    const days = list.items.map(({ date, country, rating, ratingCount, histogram: stars }) => ({
      date,
      country,
      rating,
      ratingCount,
      stars,
    }));
    const text = lines(
      formatCount(days.length, list, 'days of a country', 'country, from or to'),
      days.map(
        ({ date, country, rating, ratingCount, stars }) =>
          `- ${date} ${country}: ${formatRating(rating, ratingCount)}` +
          (stars === null ? '' : `; 1★ to 5★: ${stars.join(', ')}`),
      ),
    );
    return { text, data: { days, total: list.total, nextCursor: list.nextCursor } };
  },
});
