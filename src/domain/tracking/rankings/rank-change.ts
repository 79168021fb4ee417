import type { z } from 'zod';
import type { change } from '#contract/keywords.ts';
import { addDays, type UtcDay } from '#lib/dates.ts';
import { findCheckedAtOrBefore, pairAt, type RankPair, type VisibleRow } from './visible-rows.ts';

export type RankChange = z.input<typeof change>;
export type ChangeKind = RankChange['kind'];

/**
 * The change of a keyword between two checked days. "Not found within 30" and then position 55 is
 * no entry, because position 55 was not examined before. Such pairs are `unknown`.
 */
export function classifyChange(
  from: Omit<RankPair, 'date'>,
  to: Omit<RankPair, 'date'>,
): ChangeKind {
  if (from.position !== null && to.position !== null) {
    return from.position === to.position ? 'same' : from.position > to.position ? 'gained' : 'lost';
  }
  if (to.position !== null) return to.position <= from.depth ? 'entered' : 'unknown';
  if (from.position !== null) return from.position <= to.depth ? 'left' : 'unknown';
  return 'same';
}

/** Positions gained (positive) or lost (negative); null when one side was not found. */
export function positionsGained(from: RankPair, to: RankPair): number | null {
  return from.position === null || to.position === null ? null : from.position - to.position;
}

/**
 * Each span in days with its tolerance: yesterday may be up to three days ago, a week a day off, a
 * month three.
 */
const spans = {
  change1d: { days: 1, older: 2, newer: 0 },
  change7d: { days: 7, older: 1, newer: 1 },
  change30d: { days: 30, older: 3, newer: 3 },
} as const;

export type RankChanges = Record<keyof typeof spans, RankChange>;

/** An older latest rank does not count as today's. */
const newestWithinDays = 30;
/** Days before today that `rankChanges` needs. */
const changeLookbackDays = newestWithinDays - 1 + spans.change30d.days + spans.change30d.older;

const unknown: RankChange = { positionsGained: null, from: null, kind: 'unknown' };

/**
 * Compares the latest checked day with a day, a week and a month before it. The row's last day is
 * today.
 */
export function rankChanges(row: VisibleRow, days: readonly UtcDay[]): RankChanges {
  const newest = findCheckedAtOrBefore(row, days.length - 1, newestWithinDays - 1);
  const since = (span: (typeof spans)[keyof typeof spans]) => changeSince(row, days, newest, span);
  return {
    change1d: since(spans.change1d),
    change7d: since(spans.change7d),
    change30d: since(spans.change30d),
  };
}

function changeSince(
  row: VisibleRow,
  days: readonly UtcDay[],
  newest: number,
  span: { days: number; older: number; newer: number },
): RankChange {
  const from = newest < 0 ? null : nearestPair(row, days, newest - span.days, span);
  const to = from && pairAt(row, days, newest);
  if (!from || !to) return unknown;
  return { positionsGained: positionsGained(from, to), from, kind: classifyChange(from, to) };
}

/** The checked day nearest to `index`, or the older of two equally near ones. */
function nearestPair(
  row: VisibleRow,
  days: readonly UtcDay[],
  index: number,
  reach: { older: number; newer: number },
): RankPair | null {
  for (let away = 0; away <= Math.max(reach.older, reach.newer); away += 1) {
    const pair =
      (away <= reach.older && pairAt(row, days, index - away)) ||
      (away <= reach.newer && pairAt(row, days, index + away));
    if (pair) return pair;
  }
  return null;
}

/** The first day that a window for `rankChanges` needs. */
export function changeWindowStart(today: UtcDay): UtcDay {
  return addDays(today, -changeLookbackDays);
}
