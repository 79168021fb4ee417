import type { z } from 'zod';
import type { competitors } from '#contract/competitors.ts';
import type { Tx } from '#db/database.ts';
import { listCompetitors } from '#db/queries/competitors/competitors.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import {
  parseDayRange,
  windowOf,
  type DayRange,
  type DayWindow,
  type MonthPart,
} from '#domain/base/day-window.ts';
import { notFound } from '#domain/base/errors.ts';
import { decodePosition } from '#domain/tracking/rankings/daily-rank-codec.ts';
import { isTracked } from '#domain/tracking/rankings/tracking-periods.ts';
import type { Spot } from '#domain/tracking/serps/live-keywords.ts';
import {
  loadCountedKeywords,
  type CountedKeyword,
  type VisibilityFilter,
} from '../visibility/load-counted-keywords.ts';
import { presentVisibility } from '../visibility/present-visibility.ts';
import { DayTally, roundDay } from '../visibility/visibility-index.ts';
import type { TrackedCompetitor } from './competitor-positions.ts';
import { toCompetitorRef } from './present-competitor.ts';
import { readNeededPositions } from './read-competitor-positions.ts';

export type CompetitorVisibility = z.input<
  (typeof competitors)['GET /apps/{id}/competitors/{cid}/visibility']['responses'][200]
>;

/** Keywords whose stored results are in memory together, for a month. */
const keywordsAtOnce = 250;

/** The tallies of a day: of the competitor, and of the app on the same keywords. */
interface ComparedDay {
  theirs: DayTally;
  own: DayTally;
}

/**
 * A competitor's visibility by day, oldest first, like for like: on the keywords for which the app
 * was checked that day, with the weights of the app's own index. Throws not_found,
 * invalid_request.
 */
export async function getCompetitorVisibility(
  ctx: Ctx,
  target: { appId: number; id: number },
  query: DayRange & VisibilityFilter,
): Promise<CompetitorVisibility> {
  const { from, to } = parseDayRange(query, ctx.clock.now());
  const window = windowOf(from, to);
  const days = window.days.map((): ComparedDay => ({
    theirs: new DayTally(),
    own: new DayTally(),
  }));
  const loaded = await inTenant(ctx, async (tx) => {
    const keywords = await loadCountedKeywords(tx, ctx, target.appId, { window, filter: query });
    const [row] = await listCompetitors(tx, ctx.workspaceId, target.appId, [target.id]);
    if (!row) throw notFound();
    const competitor = toCompetitorRef(row);
    for (const part of window.parts)
      for (let at = 0; at < keywords.counted.length; at += keywordsAtOnce)
        await countPart(tx, competitor, days, {
          window,
          part,
          counted: keywords.counted.slice(at, at + keywordsAtOnce),
        });
    return keywords;
  });
  const items = window.days.map((date, day) => ({
    date,
    ...roundDay(days[day]!.theirs.measure()),
    ownIndex: roundDay(days[day]!.own.measure()).index,
  }));
  return presentVisibility(query, loaded, items);
}

/** A keyword on a day on which the app was checked for it. */
interface CheckedSpot extends Spot {
  day: number;
  own: number | null;
  weight: number;
}

/** Adds some keywords to the days of a month. */
async function countPart(
  tx: Tx,
  competitor: TrackedCompetitor,
  days: readonly ComparedDay[],
  of: { window: DayWindow; part: MonthPart; counted: readonly CountedKeyword[] },
): Promise<void> {
  const spots: CheckedSpot[] = [];
  for (const { keyword, row, weight } of of.counted)
    for (let step = 0; step < of.part.count; step += 1) {
      const day = of.part.firstInWindow + step;
      if (!isTracked(row.trackedDepths[day]!)) continue;
      const own = decodePosition(row.dailyRanks[day]!);
      if (own === undefined) days[day]!.theirs.add(undefined, weight);
      else spots.push({ keyword, date: of.window.days[day]!, day, own, weight });
    }
  const positions = await readNeededPositions(tx, spots, competitor);
  for (const [number, { day, own, weight }] of spots.entries()) {
    const found = positions.find(number, competitor);
    days[day]!.theirs.add(found?.position, weight);
    if (found) days[day]!.own.add(own, weight);
  }
}
