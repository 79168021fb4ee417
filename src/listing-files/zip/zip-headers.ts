import { parseExtraFields } from 'yauzl';
import type { ByteSource } from './byte-source.ts';
import { damaged, decodeName } from './read-zip.ts';
import { signatures } from './zip-signatures.ts';

/** The parts of a header that both lists of a zip have. */
export interface Header {
  name: string;
  flags: number;
  method: number;
  packed: number;
  unpacked: number;
  crc: number;
}

export interface Sized extends Header {
  /** Its sizes and its sum were found by inflating it. */
  isInflated: boolean;
}

/** A header from its flags on. Sizes of 8 bytes are in an extra field. */
export function readHeader(
  fixed: Buffer,
  { name, extra, offset = 0 }: { name: Buffer; extra: Buffer; offset?: number },
): Header & { offset: number } {
  const extraFields = readExtraFields(extra);
  const wide = extraFields.find(({ id }) => id === 1)?.data ?? Buffer.alloc(0);
  let at = 0;
  const widen = (value: number): number => {
    if (value !== 0xffffffff) return value;
    at += 8;
    if (wide.length < at) throw damaged(null);
    return Number(wide.readBigUInt64LE(at - 8));
  };
  const flags = fixed.readUInt16LE(0);
  const unpacked = widen(fixed.readUInt32LE(16));
  const packed = widen(fixed.readUInt32LE(12));
  return {
    name: decodeName({ fileNameRaw: name, generalPurposeBitFlag: flags, extraFields }),
    flags,
    method: fixed.readUInt16LE(2),
    crc: fixed.readUInt32LE(8),
    packed,
    unpacked,
    offset: widen(offset),
  };
}

function readExtraFields(extra: Buffer): ReturnType<typeof parseExtraFields> {
  try {
    return parseExtraFields(extra);
  } catch (error) {
    throw damaged(null, error);
  }
}

/** Sizes of 4 or 8 bytes, with or without a signature. False when none fits the file. */
export async function takeDescriptor(source: ByteSource, file: Sized): Promise<boolean> {
  const bytes = await source.takeUpTo(24);
  for (const start of [4, 0]) {
    if (start === 4 && (bytes.length < 16 || bytes.readUInt32LE() !== signatures.descriptor))
      continue;
    for (const wide of [false, true]) {
      const end = start + (wide ? 20 : 12);
      if (bytes.length < end) continue;
      const crc = bytes.readUInt32LE(start);
      const [packed, unpacked] = wide
        ? [bytes.readBigUInt64LE(start + 4), bytes.readBigUInt64LE(start + 12)].map(Number)
        : [bytes.readUInt32LE(start + 4), bytes.readUInt32LE(start + 8)];
      const isKnown = file.packed === packed && (file.unpacked === unpacked || !file.isInflated);
      if (!isKnown || (file.isInflated && file.crc !== crc)) continue;
      source.unread(bytes.subarray(end));
      Object.assign(file, { unpacked, crc });
      return true;
    }
  }
  return false;
}
