import { hash } from 'node:crypto';

/** `npm run torture` runs long forms, `npm test` short ones. */
export const isLong = Boolean(process.env.TORTURE);

/**
 * All items in the long form; in the short one this many of them, in their order, which the seed of
 * the run draws. `of` names the list, so that another list with the same items has other ones.
 */
export function draw<T>(of: string, count: number, items: readonly T[]): T[] {
  if (isLong) return [...items];
  const drawn = new Set(shuffle(of, [...items.keys()]).slice(0, count));
  return items.filter((_, index) => drawn.has(index));
}

/**
 * All pairs in the long form; in the short one each row and each column is in a pair at least once,
 * and no pair is needless.
 */
export function drawPairs<R, C>(
  of: string,
  rows: readonly R[],
  columns: readonly C[],
): { row: R; column: C }[] {
  if (isLong) return rows.flatMap((row) => columns.map((column) => ({ row, column })));
  const drawnRows = shuffle(`${of}, rows`, rows);
  const drawnColumns = shuffle(`${of}, columns`, columns);
  return Array.from({ length: Math.max(rows.length, columns.length) }, (_, index) => ({
    row: drawnRows[index % rows.length]!,
    column: drawnColumns[index % columns.length]!,
  }));
}

function shuffle<T>(of: string, items: readonly T[]): T[] {
  return [...items.keys()]
    .toSorted((a, b) => (ticketOf(of, a) < ticketOf(of, b) ? -1 : 1))
    .map((index) => items[index]!);
}

/** `npm test` prints the seed, and vitest.config.ts draws it where nobody has given one. */
const ticketOf = (of: string, index: number): string =>
  hash('md5', `${process.env.TEST_SEED ?? ''} ${of} ${index}`);
