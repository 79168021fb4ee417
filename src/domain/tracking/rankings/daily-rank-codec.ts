/**
 * The packed months. A month of an app in a market is 31 bytes, one per day: 0 not checked, 1–200
 * the position, 255 checked and not found. A month of a market is 31 × 4 bytes: the examined depth
 * (0: not checked), then the seconds from the run day's midnight to the result, which may exceed
 * 86,400 when a run ends after midnight.
 */
export const notChecked = 0;
export const notFoundByte = 255;
export const maxPosition = 200;
export const daysPerMonth = 31;
export const bytesPerDay = 4;
const maxSeconds = 0xff_ff_ff;

/**
 * Encodes a checked day; null is "checked and not found". Throws RangeError for an invalid
 * position, 0 above all.
 */
export function encodePosition(position: number | null): number {
  if (position === null) return notFoundByte;
  requireRange('position', position, 1, maxPosition);
  return position;
}

/** The four bytes of a checked market-day. */
export function encodeDay(depth: number, secondsSinceMidnight: number): Buffer {
  requireRange('depth', depth, 1, maxPosition);
  requireRange('secondsSinceMidnight', secondsSinceMidnight, 0, maxSeconds);
  const bytes = Buffer.allocUnsafe(bytesPerDay);
  bytes.writeUInt32BE(depth * 0x1_00_00_00 + secondsSinceMidnight);
  return bytes;
}

/** The day `index` (0–30) of a market's month; null when it was not checked. */
export function decodeDay(days: Buffer, index: number): { depth: number; seconds: number } | null {
  const word = days.readUInt32BE(index * bytesPerDay);
  return word === 0 ? null : { depth: word >>> 24, seconds: word & maxSeconds };
}

/** The day `index` of an app's month: a position, null for not found, undefined for not checked. */
export function decodeDailyRank(dailyRanks: Buffer, index: number): number | null | undefined {
  return decodePosition(dailyRanks[index] ?? notChecked);
}

/** Decodes a byte: a position, null for not found, undefined for not checked. */
export function decodePosition(byte: number): number | null | undefined {
  if (byte === notChecked) return undefined;
  return byte === notFoundByte ? null : byte;
}

function requireRange(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max)
    throw new RangeError(`${name} must be ${min}–${max}, not ${value}`);
}
