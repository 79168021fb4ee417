import { addDays, daysBetween, firstDay, isUtcDay } from '#lib/dates.ts';
import type { Span } from '#web/queries/apps.ts';
import type { Segments } from '#web/queries/rankings.ts';

/** The days before the period, the same days a year earlier, or days from a chosen one on. */
export type PeriodChoice = 'none' | 'previous' | 'year' | 'custom';

/** The choice that a value of the address names: `previous`, `year` or the first day. */
export function choiceOf(value: string | null): PeriodChoice {
  if (value === 'previous' || value === 'year') return value;
  return value !== null && isUtcDay(value) ? 'custom' : 'none';
}

/**
 * The period of the same length that is compared with `span`; null without a choice, and where it
 * would begin before the first day of the API.
 */
export function findComparedSpan(span: Span, value: string | null): Span | null {
  const length = daysBetween(span.from, span.to);
  const from = firstDayOf(span, value);
  return from === null || from < firstDay ? null : { from, to: addDays(from, length) };
}

function firstDayOf({ from, to }: Span, value: string | null): string | null {
  switch (choiceOf(value)) {
    case 'none':
      return null;
    case 'previous':
      return addDays(from, -daysBetween(from, to) - 1);
    case 'year':
      return yearBefore(from);
    default:
      return value;
  }
}

/** The same day of the year before; February 28 for a leap day. */
function yearBefore(day: string): string {
  const same = `${String(Number(day.slice(0, 4)) - 1).padStart(4, '0')}${day.slice(4)}`;
  return isUtcDay(same) ? same : `${same.slice(0, 8)}28`;
}

/** Values of the compared period by the day of `span` that they are drawn on. */
export function alignDays<Day extends { date: string }>(
  span: Span,
  compared: Span,
  days: readonly Day[],
): Map<string, Day> {
  const shift = daysBetween(compared.from, span.from);
  return new Map(days.map((day) => [addDays(day.date, shift), day]));
}

/** Whether the positions of two periods are of different search providers. */
export const haveOtherProviders = (own: Segments, compared: Segments): boolean =>
  nameProviders(own) !== nameProviders(compared);

const nameProviders = (segments: Segments): string =>
  [...new Set(segments.map(({ provider }) => provider))].toSorted().join();

/** The average of the known values, and their number; null if none is known. */
export function averageOf(
  values: readonly (number | null | undefined)[],
): { average: number; count: number } | null {
  const known = values.filter((value) => value != null);
  if (known.length === 0) return null;
  return {
    average: known.reduce((sum, value) => sum + value, 0) / known.length,
    count: known.length,
  };
}
