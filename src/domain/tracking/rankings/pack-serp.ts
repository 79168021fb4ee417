import { profileOf, type AppCard, type StoreName } from '#domain/base/ports.ts';

/** The number of results whose ratings are stored. */
export const strongest = 10;

/** Listing ids of the first results, four bytes each. */
export function packIds(listingIds: number[]): Buffer {
  const bytes = Buffer.allocUnsafe(listingIds.length * 4);
  listingIds.forEach((id, index) => bytes.writeUInt32BE(id, index * 4));
  return bytes;
}

export function unpackIds(bytes: Buffer): number[] {
  const ids: number[] = [];
  for (let at = 0; at < bytes.length; at += 4) ids.push(bytes.readUInt32BE(at));
  return ids;
}

/**
 * Ratings of the first ten for scoring: rating × 100 in two bytes, rating count in four; all ones
 * for none, which a store shows as null or as a count of 0. A rating of 0 without a count, which no
 * store shows, means null: not known.
 */
export function packStrengths(
  cards: readonly (Pick<AppCard, 'rating' | 'ratingCount'> | null)[],
): Buffer {
  const top = cards.slice(0, strongest);
  const bytes = Buffer.alloc(top.length * 6, 0xff);
  top.forEach((card, index) => {
    const { rating, ratingCount } = card ?? unknownRatings;
    if (rating !== null) bytes.writeUInt16BE(Math.round(rating * 100), index * 6);
    if (ratingCount !== null && !isNone({ rating, ratingCount }))
      bytes.writeUInt32BE(Math.min(ratingCount, 0xffff_fffe), index * 6 + 2);
  });
  return bytes;
}

const unknownRatings = { rating: 0, ratingCount: null };

export interface Strength {
  rating: number | null;
  ratingCount: number | null;
}

/** Null where the ratings are not known; an app without ratings has null for both. */
export function unpackStrengths(bytes: Buffer): (Strength | null)[] {
  return Array.from({ length: bytes.length / 6 }, (_, index) => {
    const rating = bytes.readUInt16BE(index * 6);
    const ratingCount = bytes.readUInt32BE(index * 6 + 2);
    const hasCount = ratingCount !== 0xffff_ffff;
    if (rating === 0 && !hasCount) return null;
    const strength = {
      rating: rating === 0xffff ? null : rating / 100,
      ratingCount: hasCount ? ratingCount : null,
    };
    return isNone(strength) ? none : strength;
  });
}

const none: Strength = { rating: null, ratingCount: null };

const isNone = ({ rating, ratingCount }: Strength): boolean => rating === null && !ratingCount;

/**
 * The ratings of an exported result; null where they are not known. In a store that shows all, an
 * app without any has 0, and in the files of earlier versions null, as unknown ones.
 */
export function strengthOfFact(
  store: StoreName,
  { rating, ratingCount }: Strength,
): Strength | null {
  const { unknownRatingsAreNone } = profileOf(store).scores.difficulty;
  const isUnknown = unknownRatingsAreNone && rating === null && ratingCount === null;
  return isUnknown ? null : { rating, ratingCount };
}
