import { pushNumber, readNumber } from './varint.ts';

/**
 * Results as the difference from earlier ones of the same market. Most days a few apps change their
 * positions, and counts of ratings grow a little, so a difference takes a fraction of the bytes.
 *
 * ids: the number of ids, then copies (the position in the base, the length of the run) and new ids
 * (255, their number, four bytes each).
 * strengths: the number of entries, then for each a number in bytes of seven bits: 0, and six bytes
 * follow; or 1 + 2 × the change of the rating count (zigzag) + 1 if the rating differs, and then
 * its two bytes follow. An entry is compared with that of the same app in the base.
 */
export interface SerpLists {
  /** Four bytes each, first position first. */
  ids: Buffer;
  /** Six bytes each, of the first ids. */
  strengths: Buffer;
}

const maxIds = 200;
const newIds = 255;
const noCount = 0xffff_ffff;

/** Null where the difference would not be smaller. */
export function findSmallerDifference(base: SerpLists, next: SerpLists): SerpLists | null {
  if (![base, next].every(isUsual)) return null;
  const difference = writeDifference(base, next);
  return sizeOf(difference) < sizeOf(next) ? difference : null;
}

/** Both have at most 200 ids. */
export function writeDifference(base: SerpLists, next: SerpLists): SerpLists {
  return {
    ids: writeIds(readIds(base.ids), readIds(next.ids)),
    strengths: writeStrengths(base, next),
  };
}

/** Throws a RangeError for bytes that no `writeDifference` from this base wrote. */
export function applyDifference(base: SerpLists, difference: SerpLists): SerpLists {
  const ids = applyIds(base.ids, difference.ids);
  return { ids, strengths: applyStrengths(base, ids, difference.strengths) };
}

/** The ids alone, which do not depend on the strengths. Equal ones are those of the base itself. */
export function applyIds(base: Buffer, difference: Buffer): Buffer {
  if (isCopy(base, difference)) return base;
  const ids = Buffer.allocUnsafe(difference.readUInt8(0) * 4);
  let [at, end] = [1, 0];
  while (at < difference.length) {
    const from = difference.readUInt8(at);
    const length = difference.readUInt8(at + 1) * 4;
    at += 2;
    const source = from === newIds ? difference : base;
    const start = from === newIds ? at : from * 4;
    if (start + length > source.length) throw new RangeError('a difference from other results');
    end += source.copy(ids, end, start, start + length);
    if (from === newIds) at += length;
  }
  if (end !== ids.length) throw new RangeError('a difference from other results');
  return ids;
}

/** True for one copy of the whole base. */
const isCopy = (base: Buffer, difference: Buffer): boolean =>
  difference.length === 3 &&
  difference[1] === 0 &&
  difference[2] === difference[0] &&
  difference[0]! * 4 === base.length;

const isUsual = ({ ids, strengths }: SerpLists): boolean =>
  ids.length <= maxIds * 4 && strengths.length / 6 <= ids.length / 4;

const sizeOf = ({ ids, strengths }: SerpLists): number => ids.length + strengths.length;

const readIds = (bytes: Buffer): number[] =>
  Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32BE(index * 4));

function writeIds(base: readonly number[], next: readonly number[]): Buffer {
  const positions = new Map(base.map((id, position) => [id, position]));
  const bytes = [next.length];
  for (let at = 0; at < next.length;) {
    const from = positions.get(next[at]!);
    let length = 1;
    if (from === undefined) {
      while (at + length < next.length && !positions.has(next[at + length]!)) length += 1;
      bytes.push(newIds, length, ...packed(next.slice(at, at + length)));
    } else {
      while (at + length < next.length && base[from + length] === next[at + length]) length += 1;
      bytes.push(from, length);
    }
    at += length;
  }
  return Buffer.from(bytes);
}

function packed(ids: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(ids.length * 4);
  ids.forEach((id, index) => bytes.writeUInt32BE(id, index * 4));
  return bytes;
}

function writeStrengths(base: SerpLists, next: SerpLists): Buffer {
  const known = strengthsById(base);
  const bytes = [next.strengths.length / 6];
  for (let at = 0; at < next.strengths.length; at += 6) {
    const entry = next.strengths.subarray(at, at + 6);
    const before = known.get(next.ids.readUInt32BE((at / 6) * 4));
    const [count, earlier] = [entry.readUInt32BE(2), before?.readUInt32BE(2)];
    if (
      earlier === undefined ||
      ((count === noCount || earlier === noCount) && count !== earlier)
    ) {
      bytes.push(0, ...entry);
      continue;
    }
    const isRated = entry.readUInt16BE(0) !== before!.readUInt16BE(0);
    pushNumber(bytes, 1 + 2 * zigzag(count - earlier) + (isRated ? 1 : 0));
    if (isRated) bytes.push(...entry.subarray(0, 2));
  }
  return Buffer.from(bytes);
}

function applyStrengths(base: SerpLists, ids: Buffer, difference: Buffer): Buffer {
  const known = strengthsById(base);
  const reader = { bytes: difference, at: 1 };
  const strengths = Buffer.allocUnsafe(difference.readUInt8(0) * 6);
  for (let at = 0; at < strengths.length; at += 6) {
    const code = readNumber(reader);
    if (code === 0) {
      difference.copy(strengths, at, reader.at, (reader.at += 6));
      continue;
    }
    const before = known.get(ids.readUInt32BE((at / 6) * 4));
    if (!before) throw new RangeError('a difference from other results');
    const change = unzigzag(Math.floor((code - 1) / 2));
    const isRated = (code - 1) % 2 === 1;
    strengths.writeUInt32BE(before.readUInt32BE(2) + change, at + 2);
    strengths.writeUInt16BE(
      (isRated ? difference : before).readUInt16BE(isRated ? reader.at : 0),
      at,
    );
    if (isRated) reader.at += 2;
  }
  return strengths;
}

const strengthsById = ({ ids, strengths }: SerpLists): Map<number, Buffer> =>
  new Map(
    Array.from({ length: strengths.length / 6 }, (_, index) => [
      ids.readUInt32BE(index * 4),
      strengths.subarray(index * 6, index * 6 + 6),
    ]),
  );

const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value);
const unzigzag = (value: number): number => (value % 2 === 1 ? -(value + 1) / 2 : value / 2);
