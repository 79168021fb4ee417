import type { Tx } from '#db/database.ts';
import {
  listSeriesOfApps,
  listSeriesOfListings,
  type SeriesRow,
} from '#db/queries/rankings/position-series.ts';
import type { DayWindow } from '#domain/base/day-window.ts';
import type { UtcDay } from '#lib/dates.ts';

/** The provider of each day's positions, by listing or by app. */
export class ProviderSeries {
  private readonly rows: Map<number, SeriesRow[]>;

  /** Rows are ordered by their first day. */
  constructor(rows: readonly SeriesRow[]) {
    this.rows = Map.groupBy(rows, ({ of }) => of);
  }

  find(of: number, day: UtcDay): string {
    const rows = this.rows.get(of);
    // The days before the first one, which nobody checked, belong to it.
    const found = rows?.findLast(({ fromDay }) => fromDay <= day) ?? rows?.[0];
    if (found === undefined) throw new Error(`${of} has no provider on ${day}`);
    return found.provider;
  }

  /** The provider of a latest rank, given that of its import: '' is unknown, null is no import. */
  ofLatest(of: number, day: UtcDay, imported: string | null): string | null {
    return imported === null ? this.find(of, day) : imported || null;
  }

  /** The providers of a window's days, oldest first; the first one from the window's first day. */
  listSegments(of: number, { days }: DayWindow): { from: UtcDay; provider: string }[] {
    const [first, last] = [days[0], days.at(-1)];
    if (first === undefined || last === undefined) return [];
    const later = (this.rows.get(of) ?? []).filter(
      ({ fromDay }) => fromDay > first && fromDay <= last,
    );
    return [
      { from: first, provider: this.find(of, first) },
      ...later.map(({ fromDay, provider }) => ({ from: fromDay, provider })),
    ];
  }
}

/** The segments of an app's positions in a window. */
export async function loadAppSegments(
  tx: Tx,
  appId: number,
  window: DayWindow,
): Promise<{ from: UtcDay; provider: string }[]> {
  return (await loadSeriesOfApps(tx, [{ appId }])).listSegments(appId, window);
}

export async function loadSeriesOfListings(
  tx: Tx,
  owners: readonly { listingId: number }[],
): Promise<ProviderSeries> {
  const ids = [...new Set(owners.map(({ listingId }) => listingId))];
  return new ProviderSeries(ids.length === 0 ? [] : await listSeriesOfListings(tx, ids));
}

export async function loadSeriesOfApps(
  tx: Tx,
  owners: readonly { appId: number }[],
): Promise<ProviderSeries> {
  const ids = [...new Set(owners.map(({ appId }) => appId))];
  return new ProviderSeries(ids.length === 0 ? [] : await listSeriesOfApps(tx, ids));
}
