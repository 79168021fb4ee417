import { isTracked } from '#domain/tracking/rankings/tracking-periods.ts';
import type { VisibleRow } from '#domain/tracking/rankings/visible-rows.ts';

/** Keywords tracked on the first and on the last day on which any was. */
export function findSameKeywords<Tracked extends { row: Pick<VisibleRow, 'trackedDepths'> }>(
  tracked: readonly Tracked[],
): Tracked[] {
  const days = tracked.flatMap(({ row: { trackedDepths } }) => {
    const first = trackedDepths.findIndex(isTracked);
    return first === -1 ? [] : [{ first, last: trackedDepths.findLastIndex(isTracked) }];
  });
  const first = Math.min(...days.map((day) => day.first));
  const last = Math.max(...days.map((day) => day.last));
  return tracked.filter(({ row: { trackedDepths } }) =>
    [first, last].every((day) => trackedDepths[day] !== undefined && isTracked(trackedDepths[day])),
  );
}
