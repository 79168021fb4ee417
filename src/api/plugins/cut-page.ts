import { readCursor, writeCursor } from '#domain/base/cursor.ts';
import { AppError } from '#domain/base/errors.ts';

export interface PageQuery {
  limit: number;
  cursor?: string | undefined;
}

export interface Whole {
  items: readonly unknown[];
}

/**
 * The requested page of a list that was computed as a whole. `list` is the path with its ids, so
 * that a cursor belongs to one list. Throws invalid_cursor.
 */
export function cutPage(list: string, { limit, cursor }: PageQuery, whole: Whole): object {
  const start = cursor === undefined ? 0 : readStart(list, cursor);
  const end = start + limit;
  return {
    ...whole,
    items: whole.items.slice(start, end),
    nextCursor: end < whole.items.length ? writeCursor(list, [end]) : null,
  };
}

/** A live response of a store has one page, and asking again would cost another request. */
export function refuseCursor({ cursor }: PageQuery): void {
  if (cursor !== undefined) throw new AppError('invalid_cursor');
}

function readStart(list: string, cursor: string): number {
  const [start] = readCursor(list, cursor, 1);
  if (typeof start === 'number' && Number.isSafeInteger(start) && start > 0) return start;
  throw new AppError('invalid_cursor');
}
