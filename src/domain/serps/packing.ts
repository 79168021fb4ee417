/** What scoring needs of a place: the rating (0–5) and the number of ratings as they stood that day. */
export interface Strength {
  rating: number | null;
  ratingCount: number | null;
}

const bytesPerId = 4;
const bytesPerStrength = 6;
const noRating = 0xff_ff;
const noCount = 0xff_ff_ff_ff;
/** Places whose strengths are kept. */
export const strengthPlaces = 10;

/** Listing ids, four bytes each, big-endian, first place first. */
export function packIds(ids: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(ids.length * bytesPerId);
  for (const [index, id] of ids.entries()) bytes.writeUInt32BE(id, index * bytesPerId);
  return bytes;
}

export function unpackIds(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / bytesPerId }, (_, index) => bytes.readUInt32BE(index * bytesPerId));
}

/** The first ten places: rating × 100 in two bytes, rating count in four, all ones where the store shows none. */
export function packStrengths(places: readonly Strength[]): Buffer {
  const kept = places.slice(0, strengthPlaces);
  const bytes = Buffer.allocUnsafe(kept.length * bytesPerStrength);
  for (const [index, { rating, ratingCount }] of kept.entries()) {
    bytes.writeUInt16BE(rating === null ? noRating : Math.round(rating * 100), index * bytesPerStrength);
    bytes.writeUInt32BE(ratingCount === null ? noCount : Math.min(ratingCount, noCount - 1), index * bytesPerStrength + 2);
  }
  return bytes;
}

export function unpackStrengths(bytes: Buffer): Strength[] {
  return Array.from({ length: bytes.length / bytesPerStrength }, (_, index) => {
    const rating = bytes.readUInt16BE(index * bytesPerStrength);
    const ratingCount = bytes.readUInt32BE(index * bytesPerStrength + 2);
    return { rating: rating === noRating ? null : rating / 100, ratingCount: ratingCount === noCount ? null : ratingCount };
  });
}
