import type { z } from 'zod';
import type { reviews } from '#contract/reviews.ts';
import { listRatingDays } from '#db/queries/reviews/ratings.ts';
import { isUtcDay } from '#lib/dates.ts';
import { getApp } from '../apps/get-app.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readCursor, writeCursor } from '#domain/base/cursor.ts';
import { AppError } from '#domain/base/errors.ts';
import { toStoredRating } from '../listings/clean-listing.ts';
import { parseDayRange, type DayRange } from '#domain/base/day-window.ts';
import { loadFollowedFeeds } from './followed-feeds.ts';

export type RatingDays = z.input<(typeof reviews)['GET /apps/{id}/ratings']['responses'][200]>;

/**
 * The app's rating on each day and in each country since it is tracked, newest first. The histogram
 * is null when the page was not read or shows none. Throws not_found, invalid_request,
 * invalid_cursor.
 */
export async function getRatings(
  ctx: Ctx,
  appId: number,
  query: DayRange & { country?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<RatingDays> {
  const range = parseDayRange(query, ctx.clock.now());
  const after = query.cursor === undefined ? null : readListCursor(appId, query.cursor);
  return inTenant(ctx, async (tx) => {
    const { listingId, feeds } = await loadFollowedFeeds(
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
      items: page.map((row) => ({ ...row, rating: toStoredRating(row.rating) })),
      nextCursor: last ? writeCursor(`ratings ${appId}`, [last.date, last.country]) : null,
      total,
    };
  });
}

function readListCursor(appId: number, cursor: string): { date: string; country: string } {
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
