import type { z } from 'zod';
import type { rankMove } from '../../contract/events.ts';
import type { UtcDay } from '../../lib/dates.ts';
import { notChecked } from '../rankings/cells.ts';
import { kindOfChange, placesGained } from '../rankings/rank-change.ts';
import {
  findCheckedAtOrBefore,
  pairAt,
  type RankPair,
  type VisibleRow,
} from '../rankings/visible.ts';
import type { RuleOf } from './rules.ts';

export type RankRule = RuleOf<'rank.dropped'> | RuleOf<'rank.improved'>;
export type RankMove = Pick<
  z.input<typeof rankMove>,
  'from' | 'to' | 'places' | 'reasons' | 'crossed'
>;

/** Days before a day that a decision about it may look at. */
export const rankReachDays = 60;

/**
 * Whether a keyword's cell of a day is to be told of, against the checked cell before it: pure, and the same for alerts
 * and for backtests. Null where nothing was checked that day, where it is the first check, or where too many unchecked
 * days lie between. `row` and `days` begin `rankReachDays` before the day, or with the keyword.
 */
export function findRankMove(
  row: VisibleRow,
  days: readonly UtcDay[],
  index: number,
  rule: RankRule,
): RankMove | null {
  const before = findCheckedAtOrBefore(row, index - 1, rule.maxGapDays);
  if (before < 0 || !isTheWay(row.cells[before]!, row.cells[index]!, rule)) return null;
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
  // A threshold may have taken days to cross; then the last day on its other side is what the newest stands against.
  const start = Math.min(
    ...crossed.map(({ since }) => since),
    ...(direct.length > 0 || crossed.length === 0 ? [before] : []),
  );
  const origin = pairAt(row, days, start)!;
  return {
    from: origin,
    to,
    places: placesGained(origin, to),
    reasons: [...direct, ...(crossed.length > 0 ? ['crossed' as const] : [])],
    crossed: [...new Set(crossed.map(({ threshold }) => threshold))].toSorted((a, b) => a - b),
  };
}

/** Nearly all days are answered here, by two bytes: only who stands worse has dropped; not found, 255, is worse than any place. */
function isTheWay(before: number, now: number, rule: RankRule): boolean {
  return now !== notChecked && (rule.event === 'rank.dropped' ? now > before : now < before);
}

function directReasons(from: RankPair, to: RankPair, rule: RankRule): RankMove['reasons'] {
  const isDrop = rule.event === 'rank.dropped';
  const gained = placesGained(from, to);
  const kind = kindOfChange(from, to);
  const reasons: RankMove['reasons'] = [];
  if (gained !== null && (isDrop ? -gained : gained) >= rule.minPlaces) reasons.push('moved');
  if (rule.depthEdge && isDrop && kind === 'left') reasons.push('left');
  if (rule.depthEdge && !isDrop && kind === 'entered') reasons.push('entered');
  return reasons;
}

/** The last checked day on the threshold's other side, if none between stood beyond it; else null. */
function findOrigin(
  row: VisibleRow,
  days: readonly UtcDay[],
  index: number,
  line: { threshold: number; rule: RankRule },
): number | null {
  for (let at = index; ;) {
    at = findCheckedAtOrBefore(row, at - 1, line.rule.maxGapDays);
    const pair = pairAt(row, days, at);
    const side = pair && sideOf(pair, line);
    if (side === 'origin') return at;
    if (side !== 'between') return null;
  }
}

/** Null where a depth too small cannot tell. */
function sideOf(
  { position, depth }: RankPair,
  { threshold, rule }: { threshold: number; rule: RankRule },
): 'origin' | 'between' | 'beyond' | null {
  const place = position ?? (depth >= threshold ? depth + 1 : null);
  if (place === null) return null;
  if (rule.event === 'rank.dropped')
    return place <= threshold
      ? 'origin'
      : place > threshold + rule.hysteresisPlaces
        ? 'beyond'
        : 'between';
  return place > threshold
    ? 'origin'
    : place <= Math.max(1, threshold - rule.hysteresisPlaces)
      ? 'beyond'
      : 'between';
}
