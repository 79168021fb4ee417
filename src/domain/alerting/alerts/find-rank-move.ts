import type { EventData } from '#contract/events.ts';
import type { UtcDay } from '#lib/dates.ts';
import { notChecked } from '#domain/tracking/rankings/daily-rank-codec.ts';
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

/** Days before a day that its evaluation may need. */
export const rankLookbackDays = 60;

/**
 * Compares a keyword's rank of a day with the previous checked one. Pure; shared by alerts and
 * backtests. Null when the day was not checked, is the first check, or follows too many unchecked
 * days. `row` and `days` begin `rankLookbackDays` before the day, or with the keyword.
 */
export function findRankMove(
  row: VisibleRow,
  days: readonly UtcDay[],
  index: number,
  rule: RankRule,
): RankMove | null {
  const before = findCheckedBefore(row, index, rule.maxGapDays + 1);
  if (before < 0 || !isTheWay(row.dailyRanks[before]!, row.dailyRanks[index]!, rule)) return null;
  const [from, to] = [pairAt(row, days, before)!, pairAt(row, days, index)!];
  const direct = directReasons(from, to, rule);
  const crossed = rule.thresholds.flatMap((threshold) => {
    const since =
      sideOf(to, { threshold, rule }) === 'beyond'
        ? findOrigin(row, days, index, { threshold, rule })
        : null;
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

/**
 * Decides nearly all days by two bytes: only a worse byte is a drop, and 255, not found, is worse
 * than any position.
 */
function isTheWay(before: number, now: number, rule: RankRule): boolean {
  return now !== notChecked && (rule.event === 'rank.dropped' ? now > before : now < before);
}

function directReasons(from: RankPair, to: RankPair, rule: RankRule): RankMove['reasons'] {
  const isDrop = rule.event === 'rank.dropped';
  const gained = positionsGained(from, to);
  const kind = classifyChange(from, to);
  const reasons: RankMove['reasons'] = [];
  if (gained !== null && (isDrop ? -gained : gained) >= rule.minPositions) reasons.push('moved');
  if (rule.depthEdge && isDrop && kind === 'left') reasons.push('left');
  if (rule.depthEdge && !isDrop && kind === 'entered') reasons.push('entered');
  return reasons;
}

/**
 * The last checked day on the other side of the threshold, if no day in between was beyond the
 * threshold; otherwise null.
 */
function findOrigin(
  row: VisibleRow,
  days: readonly UtcDay[],
  index: number,
  line: { threshold: number; rule: RankRule },
): number | null {
  for (let at = index; ;) {
    at = findCheckedBefore(row, at, line.rule.maxGapDays + 1);
    const pair = pairAt(row, days, at);
    const side = pair && sideOf(pair, line);
    if (side === 'origin') return at;
    if (side !== 'between') return null;
  }
}

/** Null when the depth is too small to decide. */
function sideOf(
  { position, depth }: RankPair,
  { threshold, rule }: { threshold: number; rule: RankRule },
): 'origin' | 'between' | 'beyond' | null {
  const comparablePosition = position ?? (depth >= threshold ? depth + 1 : null);
  if (comparablePosition === null) return null;
  if (rule.event === 'rank.dropped')
    return comparablePosition <= threshold
      ? 'origin'
      : comparablePosition > threshold + rule.hysteresisPositions
        ? 'beyond'
        : 'between';
  return comparablePosition > threshold
    ? 'origin'
    : comparablePosition <= Math.max(1, threshold - rule.hysteresisPositions)
      ? 'beyond'
      : 'between';
}
