import type { z } from 'zod';
import type { timelineOperations } from '#contract/timeline.ts';
import { timelineKinds } from '#contract/choices.ts';
import { isUtcDay, type UtcDay } from '#lib/dates.ts';
import { getApp } from '#domain/tracking/apps/get-app.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readCursor, writeCursor } from '#domain/base/cursor.ts';
import { AppError } from '#domain/base/errors.ts';
import { parseDayRange } from '#domain/base/day-window.ts';
import type { TimelineItem } from './item.ts';
import {
  readChangeItems,
  readAnnotationItems,
  readRankItems,
  readProviderItems,
  readReviewItems,
  readRunItems,
} from './read-sources.ts';

type Operation = (typeof timelineOperations)['GET /apps/{id}/timeline'];
export type Timeline = z.input<Operation['responses'][200]>;

/**
 * An app's timeline, newest day first, from stored facts. Each page reads the whole range, which is
 * small because no source has a row per keyword. Throws not_found, invalid_request, invalid_cursor.
 */
export async function getTimeline(
  ctx: Ctx,
  appId: number,
  query: z.output<Operation['query']>,
): Promise<Timeline> {
  const range = parseDayRange(query, ctx.clock.now());
  const list = `timeline ${appId}`;
  const after = query.cursor === undefined ? null : readListCursor(list, query.cursor);
  const kinds = new Set<string>(query.kind ?? timelineKinds);
  const withCompetitors = query.competitors !== false && query.scope !== 'own';
  const items = await inTenant(ctx, async (tx) => {
    const app = await getApp(tx, ctx, appId);
    const found: TimelineItem[] = [];
    if (kinds.has('change') || kinds.has('version'))
      found.push(...(await readChangeItems(tx, ctx, app, range, withCompetitors)));
    if (kinds.has('rank')) found.push(...(await readRankItems(tx, ctx, app, range)));
    if (kinds.has('reviews')) found.push(...(await readReviewItems(tx, ctx, app, range)));
    if (kinds.has('annotation')) found.push(...(await readAnnotationItems(tx, ctx, app, range)));
    if (kinds.has('run')) found.push(...(await readRunItems(tx, ctx, app, range)));
    if (kinds.has('provider')) found.push(...(await readProviderItems(tx, app, range)));
    return found
      .filter((item) => kinds.has(item.kind) && isAskedFor(item, query))
      .toSorted(compareCursors);
  });
  const left = after === null ? items : items.filter((item) => compareCursors(item, after) > 0);
  const page = left.slice(0, query.limit);
  const last = left.length > page.length ? page.at(-1) : undefined;
  return {
    items: page,
    nextCursor: last ? writeCursor(list, [last.date, last.id]) : null,
    total: items.length,
  };
}

/** An item without countries applies to all of them. */
function isAskedFor(
  { competitorId, countries }: TimelineItem,
  { scope, country }: { scope?: string | undefined; country?: string | undefined },
): boolean {
  if (scope === 'competitors' && competitorId === null) return false;
  return country === undefined || countries.length === 0 || countries.includes(country);
}

interface Position {
  date: UtcDay;
  id: string;
}

function compareCursors(a: Position, b: Position): number {
  if (a.date !== b.date) return a.date < b.date ? 1 : -1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

function readListCursor(list: string, cursor: string): Position {
  const [date, id] = readCursor(list, cursor, 2);
  if (
    typeof date !== 'string' ||
    !isUtcDay(date) ||
    typeof id !== 'string' ||
    !/^[a-z]{3,12}:[\d-]{1,10}$/.test(id)
  ) {
    throw new AppError('invalid_cursor');
  }
  return { date, id };
}
