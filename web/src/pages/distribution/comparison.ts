import type { ComparedKeyword } from '../../queries/rankings.ts';

export const moves = ['all', 'gained', 'lost', 'entered', 'left', 'same', 'unknown'] as const;
export type MoveFilter = (typeof moves)[number];
export type MoveKind = Exclude<MoveFilter, 'all'>;

/** What happened between the two days; known only as far as both looked: not found within 30 and then 55th is neither in nor out. */
export function kindOf({ a, b, delta }: ComparedKeyword): MoveKind {
  if (!a || !b) return 'unknown';
  if (delta !== null) return delta > 0 ? 'gained' : delta < 0 ? 'lost' : 'same';
  if (a.position === null && b.position === null) return 'same';
  if (a.position === null) return b.position! <= a.depth ? 'entered' : 'unknown';
  return a.position <= b.depth ? 'left' : 'unknown';
}

/** By how far up: newly found before every gain, no longer found after every loss; unknown has no place. */
export function placeOf(row: ComparedKeyword): number | null {
  const kind = kindOf(row);
  if (kind === 'unknown') return null;
  if (kind === 'entered') return 1_000 - row.b!.position!;
  if (kind === 'left') return row.a!.position! - 1_000;
  return row.delta ?? 0;
}
