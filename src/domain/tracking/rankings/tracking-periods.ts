import { addDays, daysBetween, startOfDayMs, utcDayOf, type UtcDay } from '#lib/dates.ts';

/**
 * From `day` on the keyword is tracked to `depth`; 0 is paused, -1 excluded by the plan's limit.
 * The results of the day itself are visible from a second of it on, because others may have had the
 * market searched before: that of the keyword's own check. Until then it is negative.
 */
export type TrackingPeriod = readonly [day: UtcDay, depth: number, fromSecond?: number];

/** In the bytes of `trackedDepths`: the keyword did not exist yet. */
export const unseen = 255;
export const paused = 0;
/** The depth of days above the plan's limit, in periods and in bytes. */
export const overQuotaDepth = -1;
export const overQuota = 254;
/** In the bytes of `trackedDepths`: the keyword waits for its first check. */
export const awaitedByte = 253;

/** True for a byte of `trackedDepths` when the workspace may see the day. */
export const isFollowed = (depth: number): boolean => depth !== paused && depth < awaitedByte;

/** True for a byte of `trackedDepths` when the keyword was tracked, checked or not. */
export const isTracked = (depth: number): boolean => isFollowed(depth) || depth === awaitedByte;

/** The first day of the period is not visible yet. */
export const isAwaited = ([, , fromSecond = 0]: TrackingPeriod): boolean => fromSecond < 0;

/** The second in which a period that awaits a check began, as it is stored: -1 for midnight. */
const awaitedSince = (second: number): number => -1 - second;

/** Parses tracking periods. Of two periods of one day the later written one wins. */
export function parseTrackingPeriods(stored: unknown): TrackingPeriod[] {
  const trackingPeriods = (stored as TrackingPeriod[]).map((period): TrackingPeriod => [...period]);
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
 * The tracked depth on a day; 0 while paused, awaited or above the plan's limit, null before the
 * keyword existed.
 */
export function trackedDepthOn(
  trackingPeriods: readonly TrackingPeriod[],
  day: UtcDay,
): number | null {
  const at = trackingPeriods.findLastIndex(([from]) => from <= day);
  const period = trackingPeriods[at];
  if (period === undefined) return null;
  const isOwn = period[0] < day || !isAwaited(period);
  return Math.max(paused, (isOwn ? period : trackingPeriods[at - 1])?.[1] ?? paused);
}

/**
 * The instant of a shared fact as this workspace knows it: on the first day of a period never
 * before the period began, which would reveal that others track the same.
 */
export function toOwnInstant(trackingPeriods: readonly TrackingPeriod[], at: Date): Date {
  const day = utcDayOf(at);
  const own = trackingPeriods.findLast((period) => period[0] === day && !isAwaited(period));
  return new Date(Math.max(at.getTime(), startOfDayMs(day) + (own?.[2] ?? 0) * 1000));
}

export function firstDayOf(trackingPeriods: readonly TrackingPeriod[]): UtcDay | null {
  return trackingPeriods[0]?.[0] ?? null;
}

/**
 * The tracking periods after a change on `day`: earlier periods stay, a second change on a day
 * replaces the first. After one `since` a second of the day, the day is visible as before until the
 * keyword's own check.
 */
export function withTrackingPeriod(
  trackingPeriods: readonly TrackingPeriod[],
  day: UtcDay,
  depth: number,
  since: number | null = null,
): TrackingPeriod[] {
  const earlier = trackingPeriods.filter(([from]) => from < day);
  const begun = trackingPeriods.findLast((period) => period[0] === day && !isAwaited(period));
  const ofDay = begun && begun[1] > paused ? begun : undefined;
  // What began today stays before it, a pause included: the day is not followed as the one before.
  if (since !== null)
    return [...earlier, ...(begun ? [begun] : []), [day, depth, awaitedSince(since)]];
  if (earlier.at(-1)?.[1] === depth) return earlier;
  return [...earlier, depth > paused && ofDay?.[2] ? [day, depth, ofDay[2]] : [day, depth]];
}

/**
 * One byte for each of the consecutive days: the tracked depth, `paused`, `overQuota`,
 * `awaitedByte`, or `unseen`. Writes into `depths`.
 */
export function trackedDepths(
  trackingPeriods: readonly TrackingPeriod[],
  days: readonly UtcDay[],
  depths: Uint8Array = new Uint8Array(days.length),
): Uint8Array {
  depths.fill(unseen);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return depths;
  for (const period of trackingPeriods) {
    const [day, depth] = period;
    if (day > last) continue;
    const at = day <= first ? 0 : daysBetween(first, day);
    const before = depths[at]!;
    depths.fill(depth === overQuotaDepth ? overQuota : depth, at);
    if (day >= first && isAwaited(period)) depths[at] = isFollowed(before) ? before : awaitedByte;
  }
  return depths;
}

/** The periods for facts that wait for no check: visible since the second in which they began. */
export const visibleAtOnce = (trackingPeriods: readonly TrackingPeriod[]): TrackingPeriod[] =>
  trackingPeriods.map((period) => {
    const [day, depth, second = 0] = period;
    return [day, depth, isAwaited(period) ? -1 - second : second];
  });

export interface TrackedSpan {
  from: UtcDay;
  to: UtcDay;
  /** The second of the first day from which on it is visible. */
  fromSecond: number;
}

/** The spans of days up to `today` on which the keyword was tracked; both ends included. */
export function trackedSpans(
  trackingPeriods: readonly TrackingPeriod[],
  today: UtcDay,
): TrackedSpan[] {
  return trackingPeriods.flatMap((period, index) => {
    const [day, depth, fromSecond = 0] = period;
    const [from, second] = isAwaited(period) ? [addDays(day, 1), 0] : [day, fromSecond];
    const next = trackingPeriods[index + 1];
    // Until an awaited check, its day belongs to the period before.
    const end = next && (isAwaited(next) ? next[0] : addDays(next[0], -1));
    const to = end === undefined || end > today ? today : end;
    return depth <= paused || from > to ? [] : [{ from, to, fromSecond: second }];
  });
}
