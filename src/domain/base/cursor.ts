import { decodeCursor, encodeCursor } from '#lib/text.ts';
import { AppError } from './errors.ts';

/**
 * A cursor of one list. `list` names the list with its parent and its order: `apps`, `keywords 12`.
 */
export function writeCursor(list: string, parts: readonly (string | number)[]): string {
  return encodeCursor([list, ...parts]);
}

/**
 * The `count` parts that `writeCursor` received for this list. Throws invalid_cursor for anything
 * else.
 */
export function readCursor(list: string, cursor: string, count: number): unknown[] {
  const [name, ...parts] = decodeCursor(cursor, count + 1) ?? [];
  if (name !== list) throw new AppError('invalid_cursor');
  return parts;
}

/** For lists ordered by id. Throws invalid_cursor. */
export function readIdCursor(list: string, cursor: string, max = 2_147_483_647): number {
  const [id] = readCursor(list, cursor, 1);
  if (typeof id === 'number' && Number.isSafeInteger(id) && id >= 1 && id <= max) return id;
  throw new AppError('invalid_cursor');
}
