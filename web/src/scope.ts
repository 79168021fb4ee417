import { addDays } from '../../src/lib/dates.ts';

/** What the frame keeps in the address of every page: a country and a span of days. */
export interface Scope {
  country?: string | undefined;
  days?: number | undefined;
}

export const spans = [7, 30, 90, 365];
export const defaultDays = 30;

export function readScope(search: Record<string, unknown>): Scope {
  const country = typeof search.country === 'string' && /^[a-z]{2}$/.test(search.country) ? search.country : undefined;
  const days = spans.includes(Number(search.days)) ? Number(search.days) : undefined;
  return { country, days };
}

/** Both ends included, in UTC days. */
export function spanOf(days: number, nowMs = Date.now()): { from: string; to: string } {
  const to = new Date(nowMs).toISOString().slice(0, 10);
  return { from: addDays(to, 1 - days), to };
}
