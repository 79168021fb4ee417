import type { DayWindow } from '#domain/base/day-window.ts';
import type { UtcDay } from '#lib/dates.ts';
import type { DailyRank } from './daily-rank-list.ts';
import type { ProviderSeries } from './provider-series.ts';

/**
 * The providers of a keyword's positions in a window, oldest first; the first one from the window's
 * first day. Imported positions may name another provider than the instance had on their day, and
 * then a segment begins on the first day with a position of it. An import without a provider counts
 * as having the day's.
 */
export function listRankSegments(
  series: ProviderSeries,
  listingId: number,
  window: DayWindow,
  ranks: readonly DailyRank[],
): { from: UtcDay; provider: string }[] {
  const ofDays = ranks
    .flatMap((rank) => {
      if (rank.state === 'not_checked') return [];
      const usual = series.find(listingId, rank.date);
      return [{ from: rank.date, provider: rank.provider ?? usual, usual }];
    })
    .toSorted((a, b) => (a.from < b.from ? -1 : 1));
  if (ofDays.every(({ provider, usual }) => provider === usual))
    return series.listSegments(listingId, window);
  return ofDays
    .filter(({ provider }, index) => provider !== ofDays[index - 1]?.provider)
    .map(({ from, provider }, index) => ({ from: index === 0 ? window.days[0]! : from, provider }));
}
