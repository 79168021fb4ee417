import { isUtcDay } from '../../lib/dates.ts';
import { AppError } from '../errors.ts';
import type { CellPlace } from './cell-list.ts';

const placeShape = /^(\d{4}-\d{2}-\d{2})\.([1-9]\d{0,9})$/;
const idShape = /^[1-9]\d{0,9}$/;

export function writePlace(place: CellPlace): string {
  return encode(`${place.date}.${place.keywordId}`);
}

/** Throws invalid_cursor for what `writePlace` did not write. */
export function readPlace(cursor: string): CellPlace {
  const [, date, keywordId] = placeShape.exec(decode(cursor)) ?? [];
  if (date === undefined || !isUtcDay(date)) throw new AppError('invalid_cursor');
  return { date, keywordId: Number(keywordId) };
}

export function writeId(id: number): string {
  return encode(String(id));
}

/** Throws invalid_cursor for what `writeId` did not write. */
export function readId(cursor: string): number {
  const text = decode(cursor);
  const id = idShape.test(text) ? Number(text) : 0;
  if (id < 1 || id > 2_147_483_647) throw new AppError('invalid_cursor');
  return id;
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** What does not come back as it was given was written by someone else: base64url reads around characters it does not know. */
function decode(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  return encode(text) === cursor ? text : '';
}
