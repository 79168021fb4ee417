import { addDays, secondOfDay, utcDayOf } from '#lib/dates.ts';
import {
  parseTrackingPeriods,
  trackedDepthOn,
  withTrackingPeriod,
  type TrackingPeriod,
} from '../rankings/tracking-periods.ts';

/**
 * The tracking periods after tracking to `depth` from now on; 0 is paused or deleted. A checked day
 * stays as it was: a smaller depth counts from tomorrow when today is checked. A larger one, and
 * any change before the check, counts today. What others may have had searched already is visible
 * from the keyword's own check on.
 */
export function updateTrackingPeriods(
  stored: unknown,
  change: { now: Date; depth: number; hasRankToday: boolean },
): TrackingPeriod[] {
  const today = utcDayOf(change.now);
  const trackingPeriods = parseTrackingPeriods(stored);
  const followed = trackedDepthOn(trackingPeriods, today) ?? 0;
  const keepsToday = change.hasRankToday && change.depth < followed;
  const isOwn = change.depth <= followed || (change.hasRankToday && followed === 0);
  return withTrackingPeriod(
    trackingPeriods,
    keepsToday ? addDays(today, 1) : today,
    change.depth,
    isOwn ? null : secondOfDay(change.now),
  );
}
