import { readCursor, writeCursor } from '../cursor.ts';
import { AppError } from '../errors.ts';

/** A place in a list that is sorted by an instant, then by id. */
export interface InstantPlace {
  at: Date;
  id: number;
}

const years400Ms = 1.3e13;

export function writePlace(list: string, { at, id }: InstantPlace): string {
  return writeCursor(list, [at.getTime(), id]);
}

/** Throws invalid_cursor for what `writePlace` did not write for this very list. */
export function readPlace(list: string, cursor: string): InstantPlace {
  const [ms, id] = readCursor(list, cursor, 2) as number[];
  if (
    !Number.isSafeInteger(ms) ||
    Math.abs(ms!) > years400Ms ||
    !Number.isSafeInteger(id) ||
    id! < 1 ||
    id! > 2_147_483_647
  ) {
    throw new AppError('invalid_cursor');
  }
  return { at: new Date(ms!), id: id! };
}
