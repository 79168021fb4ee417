import { isUtcDay } from '#lib/dates.ts';
import { AppError } from '#domain/base/errors.ts';
import type { DailyRankCursor } from './daily-rank-list.ts';

const cursorShape = /^(\d{4}-\d{2}-\d{2})\.([1-9]\d{0,9})$/;
const idShape = /^[1-9]\d{0,9}$/;

export function writeListCursor(cursor: DailyRankCursor): string {
  return encode(`${cursor.date}.${cursor.keywordId}`);
}

/** Throws invalid_cursor for text that `writeListCursor` did not write. */
export function readListCursor(cursor: string): DailyRankCursor {
  const [, date, keywordId] = cursorShape.exec(decode(cursor)) ?? [];
  if (date === undefined || !isUtcDay(date)) throw new AppError('invalid_cursor');
  return { date, keywordId: Number(keywordId) };
}

export function writeRankIdCursor(id: number): string {
  return encode(String(id));
}

/** Throws invalid_cursor for text that `writeRankIdCursor` did not write. */
export function readRankIdCursor(cursor: string): number {
  const text = decode(cursor);
  const id = idShape.test(text) ? Number(text) : 0;
  if (id < 1 || id > 2_147_483_647) throw new AppError('invalid_cursor');
  return id;
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/**
 * Base64url decoding skips unknown characters, so the text is ours only when it encodes back
 * unchanged.
 */
function decode(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  return encode(text) === cursor ? text : '';
}
