import type { z } from 'zod';
import type { actionDetail, actionOutcome } from '#contract/actions.ts';
import type { Tx } from '#db/database.ts';
import type { ActionRow } from '#db/queries/actions/actions.ts';
import { addDays, utcDayOf, type UtcDay } from '#lib/dates.ts';
import type { Ctx } from '#domain/base/context.ts';
import { notChecked, decodePosition } from '#domain/tracking/rankings/daily-rank-codec.ts';
import { listFollowed } from '#domain/tracking/rankings/followed-keywords.ts';
import { loadVisibleRows } from '#domain/tracking/rankings/load-visible-rows.ts';
import { isTracked } from '#domain/tracking/rankings/tracking-periods.ts';
import { keepProviderOf, type VisibleRow } from '#domain/tracking/rankings/visible-rows.ts';
import { windowOf } from '#domain/base/day-window.ts';

type Outcome = z.input<typeof actionOutcome>;
type Measured = Pick<z.input<typeof actionDetail>, 'outcome' | 'outcomeReason' | 'measurableFrom'>;

const windowDays = 14;

/**
 * Positions of an action's keywords in the 14 days before it was resolved and in the 14 after,
 * without the day itself, compared with the app's other keywords. Null with the reason when nothing
 * can be measured yet.
 */
export async function measureOutcome(tx: Tx, ctx: Ctx, action: ActionRow): Promise<Measured> {
  const { status, resolvedAt, resolvedBy, appId } = action;
  if (status !== 'resolved' || resolvedAt === null || resolvedBy === 'gone')
    return none('not_resolved');
  const keywords =
    appId === null || action.keywordIds.length === 0 ? [] : await listFollowed(tx, ctx, appId, {});
  const acted = new Set(action.keywordIds);
  if (!keywords.some((keyword) => acted.has(keyword.id))) return none('no_keywords');
  const day = utcDayOf(resolvedAt);
  const measurableFrom = addDays(day, windowDays + 1);
  if (utcDayOf(ctx.clock.now()) < measurableFrom)
    return { outcome: null, outcomeReason: 'too_early', measurableFrom };
  const window = windowOf(addDays(day, -windowDays), addDays(day, windowDays));
  const rows = await loadVisibleRows(tx, window, keywords);
  const isActed = (row: VisibleRow) => acted.has(row.keywordId);
  const outcome = compareGroups(
    rows.filter(isActed),
    rows.filter((row) => !isActed(row)),
    day,
  );
  return { outcome, outcomeReason: null, measurableFrom };
}

const none = (outcomeReason: NonNullable<Measured['outcomeReason']>): Measured => ({
  outcome: null,
  outcomeReason,
  measurableFrom: null,
});

/** Rows of 29 days with the day of the resolution in the middle. Pure. */
function compareGroups(
  acted: readonly VisibleRow[],
  others: readonly VisibleRow[],
  day: UtcDay,
): Outcome {
  const [keywords, untouched] = [measureGroup(acted, day), measureGroup(others, day)];
  const beyond =
    keywords.positionsGained === null || untouched.positionsGained === null
      ? null
      : round(keywords.positionsGained - untouched.positionsGained);
  return { windowDays, keywords, untouched, positionsGainedBeyond: beyond };
}

/**
 * Only keywords found on both sides have a change, because an entry or exit has no number of
 * positions. Only positions of the last day's provider are compared; coverage counts all checks.
 */
function measureGroup(rows: readonly VisibleRow[], day: UtcDay): Outcome['keywords'] {
  const comparable = rows.map((row) => keepProviderOf(row, 2 * windowDays));
  const sides = comparable.map((row) => ({
    before: meanPosition(row, 0),
    after: meanPosition(row, windowDays + 1),
  }));
  const pairs = sides.flatMap(({ before, after }) =>
    before === null || after === null ? [] : [{ before, after }],
  );
  return {
    keywords: rows.length,
    n: pairs.length,
    before: {
      from: addDays(day, -windowDays),
      to: addDays(day, -1),
      averagePosition: meanOf(pairs.map((pair) => pair.before)),
      coverage: coverageOf(rows, 0),
    },
    after: {
      from: addDays(day, 1),
      to: addDays(day, windowDays),
      averagePosition: meanOf(pairs.map((pair) => pair.after)),
      coverage: coverageOf(rows, windowDays + 1),
    },
    positionsGained: meanOf(pairs.map(({ before, after }) => before - after)),
  };
}

function meanPosition({ dailyRanks }: VisibleRow, from: number): number | null {
  return meanExact(
    [...dailyRanks.subarray(from, from + windowDays)].flatMap((byte) => decodePosition(byte) ?? []),
  );
}

function coverageOf(rows: readonly VisibleRow[], from: number): number | null {
  let [checked, followed] = [0, 0];
  for (const row of rows) {
    for (let at = from; at < from + windowDays; at += 1) {
      if (!isTracked(row.trackedDepths[at]!)) continue;
      followed += 1;
      if (row.dailyRanks[at] !== notChecked) checked += 1;
    }
  }
  return followed === 0 ? null : Math.round((checked / followed) * 1_000) / 1_000;
}

function meanExact(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function meanOf(values: readonly number[]): number | null {
  const mean = meanExact(values);
  return mean === null ? null : round(mean);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
