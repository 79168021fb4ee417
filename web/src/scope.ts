import { addDays, daysBetween, firstDay, isUtcDay, maxDay, utcDayOf } from '#lib/dates.ts';
import { deviceIds } from '#stores/profiles.ts';

/** Limits lists and figures of keywords to a country, a device or both. */
export interface MarketFilter {
  country?: string | undefined;
  device?: string | undefined;
}

/** The market of keywords that are scored or added. */
export interface Market {
  country: string;
  device: string;
}

export const isSameMarket = (a: Market, b: Market): boolean =>
  a.country === b.country && a.device === b.device;

/**
 * The scope in the address of every page: a country, a device, and either a number of days, all
 * days from the first one on, or a custom range.
 */
export interface Scope extends MarketFilter {
  /** `all` has no `to`, so that the period of a saved address ends today. */
  days?: number | 'all' | undefined;
  /** UTC days, both included. `days` is left out if there is a range. */
  from?: string | undefined;
  to?: string | undefined;
}

export const spans = [7, 30, 90, 365];
export const defaultDays = 30;

/** The longest range of the API. */
export const maxDays = 3_660;

export type RangeErrorCode = 'incomplete' | 'outside' | 'backwards' | 'tooLong';

/** Why a range is invalid; null if it is valid. */
export function findRangeError(
  from: string,
  to: string,
  nowMs = Date.now(),
): RangeErrorCode | null {
  if (!isUtcDay(from) || !isUtcDay(to)) return 'incomplete';
  const today = utcDayOf(new Date(nowMs));
  if ([from, to].some((day) => day < firstDay || day > today)) return 'outside';
  if (from > to) return 'backwards';
  return daysBetween(from, to) < maxDays ? null : 'tooLong';
}

/**
 * Returns only parameters of the address, because the router treats every key as a choice. An
 * invalid range is ignored, since the export page uses the same parameters for half a range.
 */
export function readScope(search: Record<string, unknown>, nowMs = Date.now()): Scope {
  const { country, device, days, from, to } = search;
  const isRange =
    typeof from === 'string' && typeof to === 'string' && findRangeError(from, to, nowMs) === null;
  const isAll =
    !isRange &&
    days === 'all' &&
    typeof from === 'string' &&
    isUtcDay(from) &&
    from <= utcDayOf(new Date(nowMs));
  const scope: Scope = isRange ? { from, to } : isAll ? { from } : {};
  if ('country' in search)
    scope.country = typeof country === 'string' && /^[a-z]{2}$/.test(country) ? country : undefined;
  if ('device' in search) scope.device = deviceIds.find((id) => id === device);
  if (isAll) scope.days = days;
  else if ('days' in search)
    scope.days = !isRange && spans.includes(Number(days)) ? Number(days) : undefined;
  return scope;
}

interface Passage {
  search: Scope;
  next: (search: Scope) => Scope;
}

/**
 * Keeps the scope on navigation unless the link sets another. Days and a range replace each other.
 */
export function retainScope({ search, next }: Passage): Scope {
  const said = next(search);
  const { country, device, ...span } = readScope({ ...search });
  const namesSpan = ['days', 'from', 'to'].some((name) => name in said);
  return { country, device, ...(!namesSpan && span), ...said };
}

export const marketOf = ({ country, device }: Scope): MarketFilter => ({ country, device });

/** UTC days, both included. */
export function spanOf(days: number, nowMs = Date.now()): { from: string; to: string } {
  const to = utcDayOf(new Date(nowMs));
  return { from: addDays(to, 1 - days), to };
}

/** The days of a scope, both included. */
export function spanOfScope(
  { from, to, days = defaultDays }: Scope,
  nowMs = Date.now(),
): { from: string; to: string } {
  if (from && to) return { from, to };
  if (days !== 'all') return spanOf(days, nowMs);
  const longest = spanOf(maxDays, nowMs);
  return { ...longest, from: maxDay(from ?? '', longest.from) };
}

/** Whether the period ends before today, so that the latest values are outside of it. */
export function isPast({ to }: { to: string }, nowMs = Date.now()): boolean {
  return to < utcDayOf(new Date(nowMs));
}
