import type { z } from 'zod';
import type { reviews } from '../../contract/reviews.ts';
import { listRatingDays } from '../../db/queries/ratings.ts';
import { isUtcDay } from '../../lib/dates.ts';
import { getApp } from '../apps/find-app.ts';
import { inTenant, type Ctx } from '../context.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { AppError } from '../errors.ts';
import { toKeptRating } from '../listings/clean-listing.ts';
import { readDayRange, type DayRange } from '../rankings/window.ts';
import { readFollowedFeeds } from './followed-feeds.ts';

export type RatingDays = z.input<(typeof reviews)['GET /apps/{id}/ratings']['responses'][200]>;

/**
 * The app's rating on each day and in each country in which it was read since the country is followed; newest first. The
 * histogram is null where the store's page was not read or shows none. Throws not_found, invalid_request, invalid_cursor.
 */
export async function readRatings(
  ctx: Ctx,
  appId: number,
  query: DayRange & { country?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<RatingDays> {
  const range = readDayRange(query, ctx.clock.now());
  const after = query.cursor === undefined ? null : readPlace(appId, query.cursor);
  return inTenant(ctx, async (tx) => {
    const { listingId, feeds } = await readFollowedFeeds(
      tx,
      ctx,
      await getApp(tx, ctx, appId),
      query.country,
    );
    const { rows, total } = await listRatingDays(
      tx,
      { listingId, countries: feeds, ...range },
      { after, limit: query.limit + 1 },
    );
    const page = rows.slice(0, query.limit);
    const last = rows.length > query.limit ? page.at(-1) : undefined;
    return {
      items: page.map((row) => ({ ...row, rating: toKeptRating(row.rating) })),
      nextCursor: last ? writeCursor(`ratings ${appId}`, [last.date, last.country]) : null,
      total,
    };
  });
}

function readPlace(appId: number, cursor: string): { date: string; country: string } {
  const [date, country] = readCursor(`ratings ${appId}`, cursor, 2);
  if (
    typeof date !== 'string' ||
    !isUtcDay(date) ||
    typeof country !== 'string' ||
    !/^[a-z]{2}$/.test(country)
  )
    throw new AppError('invalid_cursor');
  return { date, country };
}
