import type { Tx } from '#db/database.ts';
import {
  listSeriesOfApps,
  listSeriesOfListings,
  type SeriesRow,
} from '#db/queries/rankings/position-series.ts';
import type { UtcDay } from '#lib/dates.ts';

/** The provider of each day's positions, by listing or by app. */
export class ProviderSeries {
  private readonly rows: Map<number, SeriesRow[]>;

  /** Rows are ordered by their first day. */
  constructor(rows: readonly SeriesRow[]) {
    this.rows = Map.groupBy(rows, ({ of }) => of);
  }

  find(of: number, day: UtcDay): string {
    const found = this.rows.get(of)?.findLast(({ fromDay }) => fromDay <= day);
    if (found === undefined) throw new Error(`${of} has no provider on ${day}`);
    return found.provider;
  }
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
