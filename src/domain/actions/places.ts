/** A place for sorting: not found is worse than any. */
export function placeOf({ position }: { position: number | null }): number {
  return position ?? Number.POSITIVE_INFINITY;
}

const bands = [3, 10, 50, 100, 200];

/** Between which thresholds a position lies: what stays within is no news. */
export function bandOf(position: number | null): string {
  if (position === null) return 'not found';
  return `top ${bands.find((band) => position <= band)!}`;
}
