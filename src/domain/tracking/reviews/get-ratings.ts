import type { z } from 'zod';
import type { reviews } from '#contract/reviews.ts';
import type { Tx } from '#db/database.ts';
import { listRatingDays, type RatingFilter } from '#db/queries/reviews/ratings.ts';
import { isUtcDay } from '#lib/dates.ts';
import { getApp } from '../apps/get-app.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readCursor, writeCursor } from '#domain/base/cursor.ts';
import { AppError } from '#domain/base/errors.ts';
import { readImportedFacts } from '../imported-facts/read-imported-facts.ts';
import { toStoredRating } from '../listings/clean-listing.ts';
import { parseDayRange, type DayRange } from '#domain/base/day-window.ts';
import { loadFollowedFeeds } from './followed-feeds.ts';

/** Own days up to the newest imported one: an import fills days from before it. */
const ownDaysMax = 40_000;

export type RatingDays = z.input<(typeof reviews)['GET /apps/{id}/ratings']['responses'][200]>;

/**
 * The app's rating on each day and in each country while it is tracked, and imported ones, newest
 * first. The histogram
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
    const filter = { listingId, feeds, ...range };
    const { rows, total } = await listRatingDays(tx, filter, { after, limit: query.limit + 1 });
    const own = rows.map((row) => ({ ...row, rating: toStoredRating(row.rating) }));
    const imported = await listImportedRatings(tx, ctx, appId, filter, query.country);
    const following = imported.filter((day) => after === null || compareDays(day, after) > 0);
    const merged = [...own, ...following].sort(compareDays);
    const page = merged.slice(0, query.limit);
    const last = merged.length > query.limit ? page.at(-1) : undefined;
    return {
      items: page,
      nextCursor: last ? writeCursor(`ratings ${appId}`, [last.date, last.country]) : null,
      total: total + imported.length,
    };
  });
}

type RatingDay = RatingDays['items'][number];

/** Imported ratings of the app on days that this instance did not read. */
async function listImportedRatings(
  tx: Tx,
  ctx: Ctx,
  appId: number,
  filter: RatingFilter,
  country: string | undefined,
): Promise<RatingDay[]> {
  const { from, to } = filter;
  const days = await readImportedFacts(tx, ctx, { kind: 'listing_days', appId, from, to });
  const imported = days.filter(
    (day) => day.competitorId === null && (country === undefined || day.country === country),
  );
  const newest = imported[0]?.date;
  if (newest === undefined) return [];
  const { rows } = await listRatingDays(
    tx,
    { ...filter, to: newest },
    { after: null, limit: ownDaysMax },
  );
  const here = new Set(rows.map((day) => `${day.date} ${day.country}`));
  return imported
    .filter((day) => !here.has(`${day.date} ${day.country}`))
    .map(({ date, country: where, rating, ratingCount, histogram }) => ({
      date,
      country: where,
      rating,
      ratingCount,
      histogram,
    }));
}

/** The order of the list: newest day first, then by country. */
function compareDays(
  a: { date: string; country: string },
  b: { date: string; country: string },
): number {
  if (a.date !== b.date) return a.date < b.date ? 1 : -1;
  return a.country === b.country ? 0 : a.country < b.country ? -1 : 1;
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
