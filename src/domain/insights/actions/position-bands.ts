/** A position for sorting: not found is worse than any. */
export function positionOf({ position }: { position: number | null }): number {
  return position ?? Number.POSITIVE_INFINITY;
}

const bands = [3, 10, 50, 100, 200];

/** The band of thresholds that contains a position. Moves within a band are no news. */
export function bandOf(position: number | null): string {
  if (position === null) return 'not found';
  return `top ${bands.find((band) => position <= band)!}`;
}
