import { isUtcDay, utcDayOf, type UtcDay } from '#lib/dates.ts';
import type { Reading } from './reading.ts';

export type DateFormat = NonNullable<Reading['dateFormat']>;

const shape = /^(\d{1,4})[-./](\d{1,2})[-./](\d{1,4})(?:,?[T ]+(.*))?$/s;
/** PostgreSQL writes an offset of whole hours without minutes. */
const offset =
  /^(\d{1,2}):(\d{2})(?::\d\d)?(?:\.\d{1,9})? ?(?:(Z|UTC|GMT)|([+-])(0\d|1[0-5])(?::?(\d\d))?)$/;
const seconds = /^\d{1,15}(?:\.\d{1,9})?$/;
const appleEpochSeconds = 978_307_200;
const orders = { ymd: [1, 2, 3], dmy: [3, 2, 1], mdy: [3, 1, 2] } as const;

/**
 * The UTC day of a date in the stated format; null for anything else. A year has four digits. A
 * time with an offset is converted to UTC; without one the day is the written one.
 */
export function readDay(text: string, format: DateFormat): UtcDay | null {
  const word = text.trim();
  if (format === 'unix' || format === 'unix_ms' || format === 'apple')
    return readSeconds(word, format);
  const found = shape.exec(word.slice(0, 60));
  if (!found) return null;
  const [year, month, day] = orders[format].map((index) => found[index]!) as [
    string,
    string,
    string,
  ];
  if (year.length !== 4 || month.length > 2 || day.length > 2) return null;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (!isUtcDay(date)) return null;
  return inUtc(date, found[4] ?? '');
}

function inUtc(date: UtcDay, time: string): UtcDay | null {
  const found = offset.exec(time.trim());
  if (!found) return date;
  const [, hours, minutes, utc, sign, offsetHours, offsetMinutes = 0] = found;
  if (Number(hours) > 23 || Number(minutes) > 59) return null;
  if (utc !== undefined) return date;
  const minutesEast = (sign === '-' ? -1 : 1) * (Number(offsetHours) * 60 + Number(offsetMinutes));
  const local = Date.parse(`${date}T${hours!.padStart(2, '0')}:${minutes}:00Z`);
  return utcDayOf(new Date(local - minutesEast * 60_000));
}

function readSeconds(word: string, format: 'unix' | 'unix_ms' | 'apple'): UtcDay | null {
  if (!seconds.test(word)) return null;
  const number = Number(word);
  const ms =
    format === 'unix_ms' ? number : (number + (format === 'apple' ? appleEpochSeconds : 0)) * 1_000;
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() > 2_999 ? null : utcDayOf(date);
}

const guessed = ['ymd', 'dmy', 'mdy'] as const;

/** The formats in which every sample is a day. Several of them mean that a person must choose. */
export function listDateFormats(samples: readonly string[]): DateFormat[] {
  if (samples.length === 0) return [];
  return guessed.filter((format) => samples.every((text) => readDay(text, format) !== null));
}
