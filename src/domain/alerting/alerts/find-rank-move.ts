import type { EventData } from '#contract/events.ts';
import type { UtcDay } from '#lib/dates.ts';
import { notChecked, notFoundByte } from '#domain/tracking/rankings/daily-rank-codec.ts';
import { classifyChange, positionsGained } from '#domain/tracking/rankings/rank-change.ts';
import {
  findCheckedBefore,
  pairAt,
  type RankPair,
  type VisibleRow,
} from '#domain/tracking/rankings/visible-rows.ts';
import type { RuleOf } from './rules.ts';

export type RankRule = RuleOf<'rank.dropped'> | RuleOf<'rank.improved'>;
export type RankMove = Pick<
  EventData['rank.dropped'],
  'from' | 'to' | 'positionsGained' | 'reasons' | 'crossed'
>;

/** Where a position is: before a threshold, beyond it, or closer than the rule's hysteresis. */
type Side = 'origin' | 'between' | 'beyond';

/** Days before a day that its evaluation may need. */
export const rankLookbackDays = 60;

/**
 * Compares a keyword's ranks of the rule's `sustainedDays` last checked days with the checked day
 * before them. Pure; shared by alerts and backtests. Null when the day was not checked, has no such
 * day before it, or follows too many unchecked days. `row` and `days` begin `rankLookbackDays`
 * before the day, or with the keyword.
 */
export function findRankMove(
  row: VisibleRow,
  days: readonly UtcDay[],
  index: number,
  rule: RankRule,
): RankMove | null {
  if (row.dailyRanks[index] === notChecked) return null;
  // Nearly all days are left after comparisons of two bytes, without a new object.
  const first = findFirstSustained(row, index, rule);
  const before = findEarlier(row, first, rule);
  if (before < 0 || !canMatch(row.dailyRanks[before]!, row.dailyRanks[first]!, rule)) return null;
  const from = pairAt(row, days, before)!;
  const pairs = listSustained(row, index, rule).map((at) => pairAt(row, days, at)!);
  const to = pairs[0]!;
  const isSustained = pairs.every((pair) => directReasons(from, pair, rule).length > 0);
  const direct = isSustained ? directReasons(from, to, rule) : [];
  const crossed = rule.thresholds.flatMap((threshold) => {
    const isBeyond = pairs.every((pair) => sideOf(pair, threshold, rule) === 'beyond');
    const since = isBeyond ? findOrigin(row, days, first, { threshold, rule }) : null;
    return since === null ? [] : [{ threshold, since }];
  });
  if (direct.length === 0 && crossed.length === 0) return null;
  // A threshold may have taken days to cross: the latest rank is compared with the last day on its
  // other side.
  const start = Math.min(
    ...crossed.map(({ since }) => since),
    ...(direct.length > 0 || crossed.length === 0 ? [before] : []),
  );
  const origin = pairAt(row, days, start)!;
  return {
    from: origin,
    to,
    positionsGained: positionsGained(origin, to),
    reasons: [...direct, ...(crossed.length > 0 ? ['crossed' as const] : [])],
    crossed: [...new Set(crossed.map(({ threshold }) => threshold))].toSorted((a, b) => a - b),
  };
}

/** The checked days that the move has to last, newest first. */
function listSustained(row: VisibleRow, index: number, rule: RankRule): number[] {
  const found = [index];
  while (found.length < rule.sustainedDays) found.push(findEarlier(row, found.at(-1)!, rule));
  return found;
}

/** The first of the checked days that the move has to last; -1 where the past is too short. */
function findFirstSustained(row: VisibleRow, index: number, rule: RankRule): number {
  let first = index;
  for (let count = 1; count < rule.sustainedDays; count += 1) first = findEarlier(row, first, rule);
  return first;
}

/** The checked day before, within the gap that the rule allows; -1 when there is none. */
const findEarlier = (row: VisibleRow, index: number, rule: RankRule): number =>
  findCheckedBefore(row, index, rule.maxGapDays + 1);

/**
 * False where two bytes show that there is no match. Only a worse byte is a drop, and 255, not
 * found, is worse than any position.
 */
function canMatch(before: number, now: number, rule: RankRule): boolean {
  const isDrop = rule.event === 'rank.dropped';
  if (now === notChecked || (isDrop ? now <= before : now >= before)) return false;
  if (before === notFoundByte || now === notFoundByte) return true;
  return Math.abs(now - before) >= rule.minPositions || canCross(before, now, rule);
}

function canCross(before: number, now: number, rule: RankRule): boolean {
  for (const threshold of rule.thresholds)
    if (
      sideOfPosition(now, threshold, rule) === 'beyond' &&
      sideOfPosition(before, threshold, rule) !== 'beyond'
    )
      return true;
  return false;
}

function directReasons(from: RankPair, to: RankPair, rule: RankRule): RankMove['reasons'] {
  const isDrop = rule.event === 'rank.dropped';
  const gained = positionsGained(from, to);
  const kind = classifyChange(from, to);
  const reasons: RankMove['reasons'] = [];
  if (gained !== null && (isDrop ? -gained : gained) >= rule.minPositions) reasons.push('moved');
  const edge = isDrop ? 'left' : 'entered';
  if (kind === edge && (rule.depthEdge || leastMove(from, to) >= rule.minPositions))
    reasons.push(edge);
  return reasons;
}

/** The positions that a move across the examined depth has at least. */
function leastMove(from: RankPair, to: RankPair): number {
  const toComparable = ({ position, depth }: RankPair) => position ?? depth + 1;
  return Math.abs(toComparable(to) - toComparable(from));
}

/**
 * The last checked day on the other side of the threshold, if no day in between was beyond the
 * threshold; otherwise null.
 */
function findOrigin(
  row: VisibleRow,
  days: readonly UtcDay[],
  index: number,
  { threshold, rule }: { threshold: number; rule: RankRule },
): number | null {
  for (let at = index; ;) {
    at = findEarlier(row, at, rule);
    const pair = pairAt(row, days, at);
    const side = pair && sideOf(pair, threshold, rule);
    if (side === 'origin') return at;
    if (side !== 'between') return null;
  }
}

/** Null when the depth is too small to decide. */
function sideOf({ position, depth }: RankPair, threshold: number, rule: RankRule): Side | null {
  const comparablePosition = position ?? (depth >= threshold ? depth + 1 : null);
  return comparablePosition === null ? null : sideOfPosition(comparablePosition, threshold, rule);
}

function sideOfPosition(position: number, threshold: number, rule: RankRule): Side {
  if (rule.event === 'rank.dropped')
    return position <= threshold
      ? 'origin'
      : position > threshold + rule.hysteresisPositions
        ? 'beyond'
        : 'between';
  return position > threshold
    ? 'origin'
    : position <= Math.max(1, threshold - rule.hysteresisPositions)
      ? 'beyond'
      : 'between';
}
