import type { z } from 'zod';
import type { reviews } from '#contract/reviews.ts';
import {
  countReviews,
  listReviews as listReviewRows,
  type ReviewCursor,
} from '#db/queries/reviews/reviews.ts';
import { addDays, startOfDayMs } from '#lib/dates.ts';
import { getApp } from '../apps/get-app.ts';
import { assertStorable } from '#domain/base/text/parse-tags.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readCursor, writeCursor } from '#domain/base/cursor.ts';
import { AppError } from '#domain/base/errors.ts';
import { parseDayRange, type DayRange } from '#domain/base/day-window.ts';
import { loadFollowedFeeds } from './followed-feeds.ts';
import {
  compareReviews,
  countOnce,
  listImportedReviews,
  matchesReview,
} from './imported-reviews.ts';
import { presentReview } from './present-review.ts';

type Operation = (typeof reviews)['GET /apps/{id}/reviews'];
export type ReviewList = z.input<Operation['responses'][200]>;
type Query = z.output<Operation['query']>;

/**
 * Lists reviews of the app's countries within the range, and imported ones; newest or lowest first.
 * Throws not_found, invalid_request, invalid_cursor.
 */
export async function listReviews(ctx: Ctx, appId: number, query: Query): Promise<ReviewList> {
  for (const name of ['q', 'version', 'tag'] as const) assertStorable(name, query[name]);
  const { version, language, hasReply, tag, unread, sort, limit } = query;
  const range = toInstants(query, ctx.clock.now());
  const after = query.cursor === undefined ? null : readListCursor(appId, sort, query.cursor);
  return inTenant(ctx, async (tx) => {
    const app = await getApp(tx, ctx, appId);
    const { listingId, feeds } = await loadFollowedFeeds(tx, ctx, app, query.country);
    const filter = {
      listingId,
      feeds,
      ...range,
      ratings: query.rating?.map(Number),
      version,
      language,
      text: query.q,
      hasReply,
      tag,
      unread,
    };
    const rows = await listReviewRows(tx, ctx.workspaceId, filter, {
      sort,
      after,
      limit: limit + 1,
    });
    const days = { appId, ...parseDayRange(query, ctx.clock.now()) };
    const imported = countOnce(await listImportedReviews(tx, ctx, filter, days), feeds).filter(
      (review) => matchesReview(review, filter),
    );
    const following = imported.filter(
      (review) => after === null || compareReviews(review, after, sort) > 0,
    );
    const merged = [...rows, ...following].sort((a, b) => compareReviews(a, b, sort));
    const page = merged.slice(0, limit);
    const last = merged.length > limit ? page.at(-1) : undefined;
    return {
      items: page.map((row) => presentReview(row, appId)),
      nextCursor: last ? writeListCursor(appId, sort, last) : null,
      total: (await countReviews(tx, ctx.workspaceId, filter)) + imported.length,
    };
  });
}

/** The requested days as instants, the end excluded. Throws invalid_request. */
export function toInstants(range: DayRange, now: Date): { from: Date; until: Date } {
  const { from, to } = parseDayRange(range, now);
  return { from: new Date(startOfDayMs(from)), until: new Date(startOfDayMs(addDays(to, 1))) };
}

function writeListCursor(
  appId: number,
  sort: Query['sort'],
  { rating, datedAt, id }: ReviewCursor,
): string {
  return writeCursor(`reviews ${appId} ${sort}`, [rating, datedAt.getTime(), id]);
}

const lastInstantMs = 8.64e15;

function readListCursor(appId: number, sort: Query['sort'], cursor: string): ReviewCursor {
  const [rating, ms, id] = readCursor(`reviews ${appId} ${sort}`, cursor, 3) as number[];
  const isWhole = [rating, ms, id].every((part) => Number.isSafeInteger(part));
  if (!isWhole || rating! < 1 || rating! > 5 || Math.abs(ms!) > lastInstantMs / 40 || id! < 1)
    throw new AppError('invalid_cursor');
  return { rating: rating!, datedAt: new Date(ms!), id: id! };
}
