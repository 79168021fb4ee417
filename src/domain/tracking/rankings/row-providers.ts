import type { Tx } from '#db/database.ts';
import { listChangedSeries } from '#db/queries/rankings/position-series.ts';
import type { DayWindow } from '#domain/base/day-window.ts';
import { loadSeriesOfListings } from './provider-series.ts';
import type { VisibleRow } from './visible-rows.ts';

/** The listings whose provider changes within a window. */
export async function loadChangedListings(
  tx: Tx,
  { days }: DayWindow,
  listingIds: readonly number[],
): Promise<Set<number>> {
  const [from, to] = [days[0], days.at(-1)];
  if (listingIds.length === 0 || from === undefined || to === undefined) return new Set();
  return new Set(await listChangedSeries(tx, { listingIds, from, to }));
}

/**
 * Adds the provider of each day to rows whose days have several: their listing is one of `changed`,
 * or imported days have another one. An import without a provider counts as having the day's.
 */
export async function addProviders(
  tx: Tx,
  { days }: DayWindow,
  rows: readonly VisibleRow[],
  changed: ReadonlySet<number>,
): Promise<void> {
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
