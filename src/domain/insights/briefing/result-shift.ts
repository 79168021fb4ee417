import type { ComparedPositions } from '#domain/tracking/serps/stored-positions.ts';

/** Deeper positions are closer together: from 2 to 12 is as far as from 12 to 27. */
const headStart = 10;
const comparedResults = 20;
/** A factor of 1.4, which few apps move by within days. */
const farMove = 0.35;

/** How far apart two positions are. */
export function distanceOf(a: number, b: number): number {
  return Math.abs(Math.log((a + headStart) / (b + headStart)));
}

/**
 * The share, 0–1, of the first 20 apps that moved far or left the results. Null with fewer results,
 * and when the days have different providers.
 */
export function measureShift(before: ComparedPositions, after: ComparedPositions): number | null {
  const isComparable =
    before.provider === after.provider &&
    Math.min(before.listingIds.length, after.listingIds.length) >= comparedResults;
  if (!isComparable) return null;
  const now = new Map(after.listingIds.map((id, at) => [id, at + 1]));
  const far = before.listingIds
    .slice(0, comparedResults)
    .filter((id, at) => distanceOf(at + 1, now.get(id) ?? after.knownPositions) > farMove);
  return far.length / comparedResults;
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
