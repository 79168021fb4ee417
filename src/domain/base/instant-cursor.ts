import { readCursor, writeCursor } from './cursor.ts';
import { AppError } from './errors.ts';

/** A cursor of a list sorted by an instant, then by id. */
export interface InstantCursor {
  at: Date;
  id: number;
}

const years400Ms = 1.3e13;

export function writeListCursor(list: string, { at, id }: InstantCursor): string {
  return writeCursor(list, [at.getTime(), id]);
}

/** Throws invalid_cursor for text that `writeListCursor` did not write for this list. */
export function readListCursor(list: string, cursor: string): InstantCursor {
  const [ms, id] = readCursor(list, cursor, 2) as number[];
  if (
    !Number.isSafeInteger(ms) ||
    Math.abs(ms!) > years400Ms ||
    !Number.isSafeInteger(id) ||
    id! < 1
  ) {
    throw new AppError('invalid_cursor');
  }
  return { at: new Date(ms!), id: id! };
}
