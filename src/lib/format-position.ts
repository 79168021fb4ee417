/** A stored daily rank, or a day without one. */
export interface PositionAtDepth {
  position: number | null;
  depth: number;
}

/** `7`, `>30` with the row's own depth, or `–` for not checked. Positions become text only here. */
export function formatPosition(found: PositionAtDepth | null | undefined): string {
  if (!found) return '–';
  return found.position === null ? `>${found.depth}` : String(found.position);
}

/** Describes the position in words, for screen readers and assistants. */
export function describePosition(found: PositionAtDepth | null | undefined): string {
  if (!found) return 'not checked';
  return found.position === null
    ? `checked, not found within ${found.depth}`
    : `position ${found.position}`;
}
