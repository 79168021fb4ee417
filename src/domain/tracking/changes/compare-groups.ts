import type { z } from 'zod';
import type { impact } from '#contract/changes.ts';
import { decodePosition } from '../rankings/daily-rank-codec.ts';
import { summarise, welchInterval } from './welch.ts';

type Impact = z.input<typeof impact>;
type Group = Impact['affected'];

/** With fewer checked days on either side a keyword's mean is unreliable. */
const minDays = 3;
/** With fewer keywords a group has no meaningful mean. */
const fewestKeywords = 5;
const maxKeywordIds = 200;

export const method =
  'Each keyword’s mean position of the checked days on which it was found, before and after; ' +
  'unchecked days count nowhere, and keywords not found on ' +
  `${minDays} days of both sides are left out and counted as entered or left. The difference ` +
  'of the two groups’ mean gains has a 95 % interval ' +
  `by Welch’s t (unequal variances); at least ${fewestKeywords} keywords in each group.`;

/** One side of a keyword's days: packed daily ranks with the examined depths. */
export interface Side {
  dailyRanks: Uint8Array;
  depths: Uint8Array;
}

export interface Sides {
  keywordId: number;
  before: Side;
  after: Side;
}

/** The outcome of keywords between the two sides, with the gains of comparable ones. */
export function summariseGroup(rows: readonly Sides[]): { group: Group; gains: number[] } {
  const compared: { before: number; after: number }[] = [];
  let [entered, left] = [0, 0];
  for (const { before, after } of rows) {
    const [then, now] = [listPositions(before), listPositions(after)];
    if (then.length >= minDays && now.length >= minDays)
      compared.push({ before: mean(then), after: mean(now) });
    else if (cameInto(before, after)) entered += 1;
    else if (cameInto(after, before)) left += 1;
  }
  const gains = compared.map(({ before, after }) => before - after);
  const meanOf = (values: number[]) => (values.length === 0 ? null : round(mean(values)));
  return {
    gains,
    group: {
      keywords: rows.length,
      compared: compared.length,
      meanBefore: meanOf(compared.map(({ before }) => before)),
      meanAfter: meanOf(compared.map(({ after }) => after)),
      meanGain: meanOf(gains),
      entered,
      left,
      keywordIds: rows.slice(0, maxKeywordIds).map((row) => row.keywordId),
    },
  };
}

/**
 * The difference of two groups' mean gains with its interval; null with a reason when there are too
 * few.
 */
export function compareGroups(
  affected: readonly number[],
  control: readonly number[],
): Pick<Impact, 'difference' | 'interval' | 'reason'> {
  if (affected.length < fewestKeywords)
    return { difference: null, interval: null, reason: 'too_few_affected' };
  if (control.length < fewestKeywords)
    return { difference: null, interval: null, reason: 'too_few_control' };
  const [a, b] = [summarise(affected), summarise(control)];
  const [difference, interval] = [round(a.mean - b.mean), welchInterval(a, b)];
  if (!interval) return { difference, interval: null, reason: 'no_spread' };
  return {
    difference,
    interval: { low: round(interval.low), high: round(interval.high), level: 0.95 },
    reason: null,
  };
}

/**
 * True for a keyword that was never found on one side although it was examined as deep as the
 * position on the other. Position 55 after "not within 30" is no entry.
 */
function cameInto(from: Side, to: Side): boolean {
  const best = Math.min(...listPositions(to));
  return (
    listPositions(from).length === 0 &&
    from.depths.some(
      (depth, day) => decodePosition(from.dailyRanks[day]!) === null && depth >= best,
    )
  );
}

function listPositions({ dailyRanks }: Side): number[] {
  return [...dailyRanks].flatMap((byte) => decodePosition(byte) ?? []);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
