import type { StoredPositions } from '#domain/tracking/serps/stored-positions.ts';

/** Deeper positions are closer together: from 2 to 12 is as far as from 12 to 27. */
const headStart = 10;
const comparedResults = 50;
const minCommon = 10;
/** A factor of 1.4, which few apps move by within days. */
const farMove = 0.35;

/** How far apart two positions are. */
export function distanceOf(a: number, b: number): number {
  return Math.abs(Math.log((a + headStart) / (b + headStart)));
}

/**
 * The share, 0–1, of the apps in both results that moved far. Null when the results have too few
 * apps in common or come from different providers.
 */
export function measureShift(before: StoredPositions, after: StoredPositions): number | null {
  if (before.provider !== after.provider) return null;
  const now = new Map(after.listingIds.slice(0, comparedResults).map((id, at) => [id, at + 1]));
  const distances = before.listingIds.slice(0, comparedResults).flatMap((id, at) => {
    const position = now.get(id);
    return position === undefined ? [] : [distanceOf(at + 1, position)];
  });
  if (distances.length < minCommon) return null;
  return distances.filter((distance) => distance > farMove).length / distances.length;
}

export interface MarketShift {
  /** Between the two days. */
  shift: number;
  /** In as many days before; null if unknown. */
  usual: number | null;
}

const minMarkets = 5;
export const shiftedShare = 0.25;
const markets = { share: 0.6, timesUsual: 2 };

/**
 * True when the store moved many apps in most markets of a country: in three of five, a quarter of
 * the apps or more, and twice as many as usual.
 */
export function isReranked(shifts: readonly MarketShift[]): boolean {
  if (shifts.length < minMarkets) return false;
  const shifted = shifts.filter(
    ({ shift, usual }) =>
      shift >= shiftedShare && (usual === null || shift >= markets.timesUsual * usual),
  );
  return shifted.length >= markets.share * shifts.length;
}
