import type { Tx } from '#db/database.ts';
import { listChangedSeries } from '#db/queries/rankings/position-series.ts';
import type { DayWindow } from '#domain/base/day-window.ts';
import { loadSeriesOfListings } from './provider-series.ts';
import type { VisibleRow } from './visible-rows.ts';

/**
 * Adds the provider of each day to rows whose days have several: their listing's series changes
 * within the window, or imported days have another one. An import without a provider counts as
 * having the day's.
 */
export async function addProviders(
  tx: Tx,
  { days }: DayWindow,
  rows: readonly VisibleRow[],
): Promise<void> {
  const [from, to] = [days[0], days.at(-1)];
  if (rows.length === 0 || from === undefined || to === undefined) return;
  const changed = new Set(
    await listChangedSeries(tx, { listingIds: rows.map(({ listingId }) => listingId), from, to }),
  );
  const mixed = rows.filter((row) => changed.has(row.listingId) || hasProviders(row));
  if (mixed.length === 0) return;
  const series = await loadSeriesOfListings(tx, mixed);
  const numbers = new Map<string, number>();
  const numberOf = (provider: string): number => {
    const number = numbers.get(provider) ?? numbers.size;
    numbers.set(provider, number);
    return number;
  };
  for (const row of mixed)
    row.providers = Uint8Array.from(days, (day, index) =>
      numberOf(row.imported?.get(index)?.provider ?? series.find(row.listingId, day)),
    );
}

const hasProviders = ({ imported }: VisibleRow): boolean =>
  imported !== undefined && [...imported.values()].some(({ provider }) => provider !== null);
