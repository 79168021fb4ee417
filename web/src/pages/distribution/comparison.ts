import type { ComparedKeyword } from '#web/queries/rankings.ts';

export const moves = ['all', 'gained', 'lost', 'entered', 'left', 'same', 'unknown'] as const;
export type MoveFilter = (typeof moves)[number];
export type MoveKind = Exclude<MoveFilter, 'all'>;

type ComparedRanks = Pick<ComparedKeyword, 'a' | 'b' | 'delta' | 'isComparable'>;

/**
 * The change between two checks by one search provider, limited to the shallower depth: not found
 * within 30 and then position 55 is neither entered nor left.
 */
export function kindOf({ a, b, delta, isComparable }: ComparedRanks): MoveKind {
  if (!a || !b || !isComparable) return 'unknown';
  if (delta !== null) return delta > 0 ? 'gained' : delta < 0 ? 'lost' : 'same';
  if (a.position === null && b.position === null) return 'same';
  if (a.position === null) return b.position! <= a.depth ? 'entered' : 'unknown';
  return a.position <= b.depth ? 'left' : 'unknown';
}

/** Sorts entered before all gains and left after all losses. Unknown changes have no value. */
export function positionOf(row: ComparedRanks): number | null {
  const kind = kindOf(row);
  if (kind === 'unknown') return null;
  if (kind === 'entered') return 1_000 - row.b!.position!;
  if (kind === 'left') return row.a!.position! - 1_000;
  return row.delta ?? 0;
}
