import type { z } from 'zod';
import type { briefing } from '#contract/briefing.ts';
import { addDays, daysBetween, maxDay, minDay, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { windowOf } from '#domain/base/day-window.ts';
import { classifyChange, positionsGained } from '#domain/tracking/rankings/rank-change.ts';
import { isFollowed } from '#domain/tracking/rankings/tracking-periods.ts';
import { loadVisibleRows } from '#domain/tracking/rankings/load-visible-rows.ts';
import { notChecked } from '#domain/tracking/rankings/daily-rank-codec.ts';
import {
  findCheckedAtOrBefore,
  isSameProvider,
  pairAt,
  type VisibleRow,
} from '#domain/tracking/rankings/visible-rows.ts';
import { loadLiveKeywords, type LiveKeyword } from '#domain/tracking/serps/live-keywords.ts';
import { loadSettings } from '#domain/tracking/settings/get-settings.ts';
import { explainMoves } from './explain-moves.ts';
import { chooseMovers, type KeywordMove } from './choose-movers.ts';
import { findLastVisit } from './visits.ts';

export type Briefing = z.input<typeof briefing>;

/** A visit longer ago is compared with this many days ago. */
const maxDays = 30;
/** A side may be this many days older, like in movers. */
const lookbackDays = 3;

interface Query {
  since?: UtcDay | undefined;
  yesterday?: boolean | undefined;
  limit: number;
}

/**
 * What changed between the caller's last visit, or the day before, and the newest checked day.
 * Throws not_found.
 */
export function getBriefing(ctx: Ctx, appId: number, query: Query): Promise<Briefing> {
  const today = utcDayOf(ctx.clock.now());
  return inTenant(ctx, async (tx) => {
    const { app, keywords: all } = await loadLiveKeywords(tx, ctx, appId);
    const keywords = all.filter(({ paused }) => !paused);
    const to = newestDayOf(keywords);
    const empty = { appId, from: null, to: null, isSinceVisit: false, keywords: keywords.length };
    if (to === null)
      return { ...empty, ...countMoves([]), notChecked: 0, movers: [], otherMovers: 0 };
    const visit = query.yesterday || query.since ? null : await findLastVisit(tx, ctx, today);
    const yesterday = addDays(to, -1);
    const oldest = addDays(to, -maxDays);
    const isSinceVisit = visit !== null && visit < yesterday;
    const since = query.since ?? (isSinceVisit ? visit : yesterday);
    // The newest checked day is not compared with itself or a later day.
    const from = maxDay(oldest, minDay(since, yesterday));
    const window = windowOf(addDays(from, -lookbackDays), to);
    const followed = keywords.map((keyword) => ({ ...keyword, listingId: app.listingId }));
    const rows = await loadVisibleRows(tx, window, followed);
    const moves = rows.flatMap((row, index): KeywordMove[] => {
      const move = compareSides(row, window.days, keywords[index]!);
      return move ? [move] : [];
    });
    const { thresholds } = await loadSettings(tx, ctx.workspaceId);
    const chosen = chooseMovers(moves, thresholds.movePositions);
    const shown = chosen.slice(0, query.limit);
    return {
      ...empty,
      from,
      to,
      isSinceVisit,
      ...countMoves(moves),
      notChecked: countUnchecked(rows, window.days.length - 1),
      movers: await explainMoves(tx, ctx, app, { shown, all: moves, days: daysBetween(from, to) }),
      otherMovers: chosen.length - shown.length,
    };
  });
}

function newestDayOf(keywords: readonly LiveKeyword[]): UtcDay | null {
  return keywords.reduce<UtcDay | null>(
    (newest, { latestOn }) => (latestOn && (!newest || latestOn > newest) ? latestOn : newest),
    null,
  );
}

function compareSides(
  row: VisibleRow,
  days: readonly UtcDay[],
  keyword: LiveKeyword,
): KeywordMove | null {
  const fromIndex = findCheckedAtOrBefore(row, lookbackDays, lookbackDays);
  const toIndex = findCheckedAtOrBefore(row, days.length - 1, lookbackDays);
  const from = pairAt(row, days, fromIndex);
  const to = pairAt(row, days, toIndex);
  if (!from || !to || fromIndex >= toIndex || !isSameProvider(row, fromIndex, toIndex)) return null;
  return { keyword, from, to, kind: classifyChange(from, to), change: positionsGained(from, to) };
}

function countMoves(
  moves: readonly KeywordMove[],
): Pick<Briefing, 'compared' | 'gained' | 'lost' | 'entered' | 'left' | 'unchanged'> {
  const count = (kind: KeywordMove['kind']) => moves.filter((move) => move.kind === kind).length;
  return {
    compared: moves.length - count('unknown'),
    gained: count('gained'),
    lost: count('lost'),
    entered: count('entered'),
    left: count('left'),
    unchanged: count('same'),
  };
}

function countUnchecked(rows: readonly VisibleRow[], index: number): number {
  return rows.filter(
    ({ dailyRanks, trackedDepths }) =>
      dailyRanks[index] === notChecked && isFollowed(trackedDepths[index]!),
  ).length;
}
