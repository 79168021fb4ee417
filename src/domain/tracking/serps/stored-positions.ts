import type { Tx } from '#db/database.ts';
import { listStoredRows, type StoredRow } from '#db/queries/serps/serp-history.ts';
import type { UtcDay } from '#lib/dates.ts';
import { unpackIds } from '../rankings/pack-serp.ts';
import { trackedDepthOn, type TrackingPeriod } from '../rankings/tracking-periods.ts';
import type { DayPositions } from './find-entrants.ts';
import type { Spot } from './live-keywords.ts';
import { countKnown } from './stored-serp.ts';

/**
 * The apps in a market's positions on a day, as deep as the keyword was tracked. They are unpacked
 * when they are first needed: of a month of a thousand keywords most days are compared as bytes.
 */
export class StoredPositions implements DayPositions {
  readonly date: UtcDay;
  readonly provider: string;
  readonly ids: Buffer;
  readonly knownPositions: number;
  private unpacked: number[] | undefined;

  constructor(stored: Omit<DayPositions, 'listingIds'>) {
    this.date = stored.date;
    this.provider = stored.provider;
    this.ids = stored.ids;
    this.knownPositions = stored.knownPositions;
  }

  get listingIds(): number[] {
    this.unpacked ??= unpackIds(this.ids);
    return this.unpacked;
  }
}

/** What a comparison of two days needs. */
export type ComparedPositions = Pick<StoredPositions, 'listingIds' | 'provider' | 'knownPositions'>;

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
function toStoredPositions(
  row: StoredRow,
  trackingPeriods: readonly TrackingPeriod[],
): StoredPositions | null {
  const followed = trackedDepthOn(trackingPeriods, row.date);
  if (!followed) return null;
  const { ids, depth, resultCount, isExhausted } = row;
  const kept = ids.length / 4;
  return new StoredPositions({
    date: row.date,
    provider: row.provider,
    ids: kept <= followed ? ids : ids.subarray(0, followed * 4),
    knownPositions: countKnown({ depth, resultCount, isExhausted, kept }, followed),
  });
}

/** The days of a market as far as its results are visible, in their order. */
export function toDayPositions(
  rows: readonly StoredRow[] | undefined,
  trackingPeriods: readonly TrackingPeriod[],
): StoredPositions[] {
  const days: StoredPositions[] = [];
  for (const row of rows ?? []) {
    const positions = toStoredPositions(row, trackingPeriods);
    if (positions) days.push(positions);
  }
  return days;
}
