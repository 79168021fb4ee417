import { addDays, type UtcDay } from '#lib/dates.ts';
import {
  parseTrackingPeriods,
  trackedDepthOn,
  withTrackingPeriod,
  type TrackingPeriod,
} from '../rankings/tracking-periods.ts';

/**
 * The tracking periods after tracking to `depth` from now on; 0 is paused or deleted. A checked day
 * stays as it was: a smaller depth counts from tomorrow when today is checked. A larger one, and
 * any change before the check, counts today.
 */
export function updateTrackingPeriods(
  stored: unknown,
  change: { today: UtcDay; depth: number; hasRankToday: boolean },
): TrackingPeriod[] {
  const trackingPeriods = parseTrackingPeriods(stored);
  const followed = trackedDepthOn(trackingPeriods, change.today) ?? 0;
  const keepsToday = change.hasRankToday && change.depth < followed;
  return withTrackingPeriod(
    trackingPeriods,
    keepsToday ? addDays(change.today, 1) : change.today,
    change.depth,
  );
}
