import { addDays, daysBetween, type UtcDay } from '#lib/dates.ts';

/**
 * From `day` on the keyword is tracked to `depth`; 0 is paused, -1 excluded by the plan's limit.
 */
export type TrackingPeriod = readonly [day: UtcDay, depth: number];

/** In the bytes of `trackedDepths`: the keyword did not exist yet. */
export const unseen = 255;
export const paused = 0;
/** The depth of days above the plan's limit, in periods and in bytes. */
export const overQuotaDepth = -1;
export const overQuota = 254;

/** True for a byte of `trackedDepths` when the workspace may see the day. */
export const isFollowed = (depth: number): boolean =>
  depth !== paused && depth !== overQuota && depth !== unseen;

/** Parses tracking periods. Of two periods of one day the later written one wins. */
export function parseTrackingPeriods(stored: unknown): TrackingPeriod[] {
  const trackingPeriods = (stored as TrackingPeriod[]).map(([day, depth]): TrackingPeriod => [
    day,
    depth,
  ]);
  return trackingPeriods.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
}

/**
 * `parseTrackingPeriods` for many keywords, most of which have equal periods. Those are parsed once
 * and shared.
 */
export function createTrackingPeriodParser(): (stored: unknown) => TrackingPeriod[] {
  const known = new Map<unknown, TrackingPeriod[]>();
  return (stored) => {
    const trackingPeriods = known.get(stored) ?? parseTrackingPeriods(stored);
    known.set(stored, trackingPeriods);
    return trackingPeriods;
  };
}

/**
 * The tracked depth on a day; 0 while paused or above the plan's limit, null before the keyword
 * existed.
 */
export function trackedDepthOn(
  trackingPeriods: readonly TrackingPeriod[],
  day: UtcDay,
): number | null {
  const depth = trackingPeriods.findLast(([from]) => from <= day)?.[1];
  return depth === undefined ? null : Math.max(paused, depth);
}

export function firstDayOf(trackingPeriods: readonly TrackingPeriod[]): UtcDay | null {
  return trackingPeriods[0]?.[0] ?? null;
}

/**
 * The tracking periods after a change on `day`: earlier periods stay, a second change on a day
 * replaces the first.
 */
export function withTrackingPeriod(
  trackingPeriods: readonly TrackingPeriod[],
  day: UtcDay,
  depth: number,
): TrackingPeriod[] {
  const earlier = trackingPeriods.filter(([from]) => from < day);
  return earlier.at(-1)?.[1] === depth ? earlier : [...earlier, [day, depth]];
}

/**
 * One byte for each of the consecutive days: the tracked depth, `paused`, `overQuota`, or `unseen`.
 * Writes into `depths`.
 */
export function trackedDepths(
  trackingPeriods: readonly TrackingPeriod[],
  days: readonly UtcDay[],
  depths: Uint8Array = new Uint8Array(days.length),
): Uint8Array {
  depths.fill(unseen);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return depths;
  for (const [day, depth] of trackingPeriods) {
    if (day <= last)
      depths.fill(
        depth === overQuotaDepth ? overQuota : depth,
        day <= first ? 0 : daysBetween(first, day),
      );
  }
  return depths;
}

/** The spans of days up to `today` on which the keyword was tracked; both ends included. */
export function trackedSpans(
  trackingPeriods: readonly TrackingPeriod[],
  today: UtcDay,
): { from: UtcDay; to: UtcDay }[] {
  return trackingPeriods.flatMap(([from, depth], index) => {
    const next = trackingPeriods[index + 1]?.[0];
    const to = next === undefined || next > today ? today : addDays(next, -1);
    return depth <= paused || from > to ? [] : [{ from, to }];
  });
}
