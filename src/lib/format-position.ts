/** A stored daily rank, or a day without one. */
export interface PositionAtDepth {
  position: number | null;
  depth: number;
  /** The number of results, where there were fewer than `depth` and the app was not among them. */
  resultCount?: number | undefined;
}

/**
 * `7`, `>30` with the row's own depth, `not in 12` where the store had only 12 results, or `–` for
 * not checked. Positions become text only here.
 */
export function formatPosition(found: PositionAtDepth | null | undefined): string {
  if (!found) return '–';
  if (found.position !== null) return String(found.position);
  return found.resultCount === undefined ? `>${found.depth}` : `not in ${found.resultCount}`;
}

/** Describes the position in words, for screen readers and assistants. */
export function describePosition(found: PositionAtDepth | null | undefined): string {
  if (!found) return 'not checked';
  if (found.position !== null) return `position ${found.position}`;
  if (found.resultCount === 1) return 'checked, not found, and the only result is another app';
  return found.resultCount === undefined
    ? `checked, not found within ${found.depth}`
    : `checked, not among the ${found.resultCount} results`;
}
