import type { History } from '#web/api.ts';

/**
 * The segments that begin within the days: positions before and after their first day are not
 * compared.
 */
export function findBoundaries({
  items,
  segments,
}: Pick<History, 'items' | 'segments'>): History['segments'] {
  const firstDay = items[0]?.date ?? '';
  return segments.slice(1).filter(({ from }) => from > firstDay);
}

/**
 * A line for each segment with a position, with as many values as there are days: null outside of
 * the segment, so that no line joins positions of two providers.
 */
export function splitBySegment(
  days: readonly string[],
  positions: readonly (number | null)[],
  boundaries: readonly { from: string }[],
): (number | null)[][] {
  const segmentOf = (day: string) => boundaries.filter(({ from }) => from <= day).length;
  const bySegment = Map.groupBy(days.keys(), (index) => segmentOf(days[index]!));
  const lines = [...bySegment.values()].map((indexes) => {
    const own = new Set(indexes);
    return positions.map((position, index) => (own.has(index) ? position : null));
  });
  const drawn = lines.filter((line) => line.some((position) => position !== null));
  return drawn.length > 0 ? drawn : [positions.map(() => null)];
}
