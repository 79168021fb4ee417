/**
 * A UTC calendar day, `YYYY-MM-DD`. Compared and sorted as text; it never becomes a local-time
 * Date.
 */
export type UtcDay = string;

/** The first day that requests and files can name. */
export const firstDay: UtcDay = '2000-01-01';

const msPerDay = 86_400_000;
const shape = /^\d{4}-\d{2}-\d{2}$/;

/** True for a day that exists: 2026-02-30 does not, and neither does the year 0. */
export function isUtcDay(text: string): boolean {
  if (!shape.test(text) || text.startsWith('0000')) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && utcDayOf(new Date(ms)) === text;
}

export function utcDayOf(instant: Date): UtcDay {
  return instant.toISOString().slice(0, 10);
}

/** Midnight at the start of the day, in milliseconds since the epoch. */
export function startOfDayMs(day: UtcDay): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** Seconds since the midnight at which the instant's day began, rounded up. */
export function secondOfDay(instant: Date): number {
  return Math.ceil((instant.getTime() - startOfDayMs(utcDayOf(instant))) / 1000);
}

export function addDays(day: UtcDay, count: number): UtcDay {
  return utcDayOf(new Date(startOfDayMs(day) + count * msPerDay));
}

/** Days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: UtcDay, to: UtcDay): number {
  return Math.round((startOfDayMs(to) - startOfDayMs(from)) / msPerDay);
}

/** Every day from `from` to `to`, both inclusive. */
export function listDays(from: UtcDay, to: UtcDay): UtcDay[] {
  return Array.from({ length: Math.max(0, daysBetween(from, to) + 1) }, (_, index) =>
    addDays(from, index),
  );
}

/** The first day of the day's month. */
export function monthOf(day: UtcDay): UtcDay {
  return `${day.slice(0, 8)}01`;
}

/** 0 for the first day of the month, 30 for the thirty-first. */
export function dayIndexInMonth(day: UtcDay): number {
  return Number(day.slice(8)) - 1;
}

export function maxDay(a: UtcDay, b: UtcDay): UtcDay {
  return a > b ? a : b;
}

export function minDay(a: UtcDay, b: UtcDay): UtcDay {
  return a < b ? a : b;
}
