import type { SerpDay } from '#web/queries/serp.ts';

/**
 * The latest earlier day by the same search provider, because results of two providers are not
 * comparable; without one, the latest earlier day. `days` are the newest first.
 */
export function findDayBefore(
  days: readonly Pick<SerpDay, 'date' | 'provider'>[],
  day: string,
): string | null {
  const earlier = days.filter(({ date }) => date < day);
  const provider = days.find(({ date }) => date === day)?.provider;
  const before = earlier.find((one) => one.provider === provider) ?? earlier[0];
  return before?.date ?? null;
}
