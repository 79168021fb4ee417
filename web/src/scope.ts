import { addDays, daysBetween, isUtcDay, utcDayOf } from '../../src/lib/dates.ts';

/** What the frame keeps in the address of every page: a country, and either the last days or a range of days. */
export interface Scope {
  country?: string | undefined;
  days?: number | undefined;
  /** With `to`, both included, in UTC days; `days` is not there then. */
  from?: string | undefined;
  to?: string | undefined;
}

export const spans = [7, 30, 90, 365];
export const defaultDays = 30;

/** What the API reads at once, and the first day it knows. */
export const mostDays = 400;
export const firstDay = '2000-01-01';

export type RangeFault = 'incomplete' | 'outside' | 'backwards' | 'tooLong';

/** Why days from one to another cannot be shown; null when they can. */
export function findRangeFault(from: string, to: string, nowMs = Date.now()): RangeFault | null {
  if (!isUtcDay(from) || !isUtcDay(to)) return 'incomplete';
  const today = utcDayOf(new Date(nowMs));
  if ([from, to].some((day) => day < firstDay || day > today)) return 'outside';
  if (from > to) return 'backwards';
  return daysBetween(from, to) < mostDays ? null : 'tooLong';
}

/**
 * Names only what the address names: to the router a name that is there is a choice, even of nothing. A range that cannot be
 * shown is left alone: the export page keeps half of one in the same words.
 */
export function readScope(search: Record<string, unknown>, nowMs = Date.now()): Scope {
  const { country, days, from, to } = search;
  const isRange =
    typeof from === 'string' && typeof to === 'string' && findRangeFault(from, to, nowMs) === null;
  const scope: Scope = isRange ? { from, to } : {};
  if ('country' in search)
    scope.country = typeof country === 'string' && /^[a-z]{2}$/.test(country) ? country : undefined;
  if ('days' in search)
    scope.days = !isRange && spans.includes(Number(days)) ? Number(days) : undefined;
  return scope;
}

interface Passage {
  search: Scope;
  next: (search: Scope) => Scope;
}

/** The scope goes along to the next page, unless the link says another; days and a range replace one another as a whole. */
export function keepScope({ search, next }: Passage): Scope {
  const said = next(search);
  const { country, ...span } = readScope({ ...search });
  const saysSpan = ['days', 'from', 'to'].some((name) => name in said);
  return { country, ...(!saysSpan && span), ...said };
}

/** Both ends included, in UTC days. */
export function spanOf(days: number, nowMs = Date.now()): { from: string; to: string } {
  const to = utcDayOf(new Date(nowMs));
  return { from: addDays(to, 1 - days), to };
}

/** The days that a page in this scope shows, both ends included. */
export function spanOfScope(
  { from, to, days = defaultDays }: Scope,
  nowMs = Date.now(),
): { from: string; to: string } {
  return from && to ? { from, to } : spanOf(days, nowMs);
}

/** Whether it ends before today: then what is newest is not of these days. */
export function isPast({ to }: { to: string }, nowMs = Date.now()): boolean {
  return to < utcDayOf(new Date(nowMs));
}
