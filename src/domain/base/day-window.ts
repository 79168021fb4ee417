import {
  addDays,
  dayIndexInMonth,
  daysBetween,
  firstDay,
  maxDay,
  minDay,
  monthOf,
  utcDayOf,
  type UtcDay,
} from '#lib/dates.ts';
import { invalid } from './errors.ts';

/** The part of a window that lies in one calendar month. */
export interface MonthPart {
  month: UtcDay;
  /** Index within the month (0–30) of the part's first day. */
  firstInMonth: number;
  /** Index of the same day within the window. */
  firstInWindow: number;
  count: number;
}

/** Consecutive days, oldest first, and their positions in the packed months. */
export interface DayWindow {
  from: UtcDay;
  days: UtcDay[];
  parts: MonthPart[];
}

export interface DayRange {
  from?: UtcDay | undefined;
  to?: UtcDay | undefined;
}

const usualDays = 30;
/** Ten years, so that everything that is stored fits into one chart. */
const maxDays = 3_660;
/** For lists with a row or a cell for each keyword and day, and for logs. */
export const maxListDays = 400;

/**
 * The requested days: the last 30 by default, at most `mostDays`. Future days are omitted. Throws
 * invalid_request.
 */
export function parseDayRange(
  range: DayRange,
  now: Date,
  mostDays: number = maxDays,
): { from: UtcDay; to: UtcDay } {
  const today = utcDayOf(now);
  const to = range.to ?? today;
  const from = range.from ?? maxDay(firstDay, addDays(to, 1 - usualDays));
  if (from > to) throw invalid('from', 'must not be after `to`', from, to);
  if (daysBetween(from, to) >= mostDays)
    throw invalid(
      'from',
      `at most ${mostDays} days in a request`,
      daysBetween(from, to) + 1,
      mostDays,
    );
  return { from, to: minDay(to, today) };
}

/** Every day from `from` to `to`; an empty window when `from` is later. */
export function windowOf(from: UtcDay, to: UtcDay): DayWindow {
  const days: UtcDay[] = [];
  const parts: MonthPart[] = [];
  for (let day = from; day <= to; day = firstOfNextMonth(day)) {
    const last = minDay(addDays(firstOfNextMonth(day), -1), to);
    const [firstInMonth, lastInMonth] = [dayIndexInMonth(day), dayIndexInMonth(last)];
    parts.push({
      month: monthOf(day),
      firstInMonth,
      firstInWindow: days.length,
      count: lastInMonth - firstInMonth + 1,
    });
    for (let index = firstInMonth; index <= lastInMonth; index += 1)
      days.push(day.slice(0, 8) + String(index + 1).padStart(2, '0'));
  }
  return { from, days, parts };
}

function firstOfNextMonth(day: UtcDay): UtcDay {
  return monthOf(addDays(monthOf(day), 31));
}
