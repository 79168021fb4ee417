/** A stored daily rank, or a day without one. */
export interface PositionAtDepth {
  position: number | null;
  depth: number;
}

/** `7`, `>30` with the row's own depth, or `–` for not checked. Positions become text only here. */
export function formatPosition(cell: PositionAtDepth | null | undefined): string {
  if (!cell) return '–';
  return cell.position === null ? `>${cell.depth}` : String(cell.position);
}

/** Describes the position in words, for screen readers and assistants. */
export function describePosition(cell: PositionAtDepth | null | undefined): string {
  if (!cell) return 'not checked';
  return cell.position === null
    ? `checked, not found within ${cell.depth}`
    : `position ${cell.position}`;
}
