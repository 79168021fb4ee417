import type { Tx } from '#db/database.ts';
import { listStoredRows, type StoredRow } from '#db/queries/serps/serp-history.ts';
import { unpackIds } from '../rankings/pack-serp.ts';
import { trackedDepthOn, type TrackingPeriod } from '../rankings/tracking-periods.ts';
import type { Spot } from './live-keywords.ts';
import { countKnown } from './stored-serp.ts';

/** The apps in a market's positions on a day, as deep as the keyword was tracked. */
export interface StoredPositions {
  listingIds: number[];
  provider: string;
  /** Presence and absence are known within this depth. */
  knownPositions: number;
}

/**
 * The stored results for each spot, null when none are stored or the keyword was not tracked. One
 * statement.
 */
export async function loadStoredPositions(
  tx: Tx,
  spots: readonly Spot[],
): Promise<(StoredPositions | null)[]> {
  if (spots.length === 0) return [];
  const rows = await listStoredRows(tx, {
    marketIds: spots.map((spot) => spot.keyword.marketId),
    dates: spots.map((spot) => spot.date),
  });
  const ofSpot = new Map(rows.map((row) => [`${row.marketId} ${row.date}`, row]));
  return spots.map(({ keyword, date }) => {
    const row = ofSpot.get(`${keyword.marketId} ${date}`);
    return row ? toStoredPositions(row, keyword.trackingPeriods) : null;
  });
}

/** A market-day cut to a keyword's tracking periods; null when nothing is visible. */
export function toStoredPositions(
  row: StoredRow,
  trackingPeriods: readonly TrackingPeriod[],
): StoredPositions | null {
  const followed = trackedDepthOn(trackingPeriods, row.date);
  if (!followed) return null;
  const kept = row.ids.length / 4;
  return {
    provider: row.provider,
    listingIds: unpackIds(row.ids.subarray(0, followed * 4)),
    knownPositions: countKnown({ ...row, kept }, followed),
  };
}
