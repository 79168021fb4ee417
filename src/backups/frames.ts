import { createHash } from 'node:crypto';

/** Decompressors skip frames that begin with this number. */
const skippable = 0x184d2a5e;
const headerText = Buffer.from('toprung backup\n');
const footerText = Buffer.from('toprung.');

export const headerBytes = 8 + headerText.length;
export const footerBytes = 8 + 8 + 8 + 32 + footerText.length;

export interface ManifestLocation {
  offset: number;
  length: number;
  sha256: Buffer;
}

export const header = (): Buffer => toFrame(headerText);

export function footer(manifestFrame: Uint8Array, offset: number): Buffer {
  const numbers = Buffer.alloc(16);
  numbers.writeBigUInt64LE(BigInt(offset), 0);
  numbers.writeBigUInt64LE(BigInt(manifestFrame.length), 8);
  return toFrame(Buffer.concat([numbers, hashOf(manifestFrame), footerText]));
}

export const isHeader = (bytes: Buffer): boolean => bytes.equals(header());

/** Null for other bytes than those of a footer. */
export function readFooter(bytes: Buffer): ManifestLocation | null {
  const payload = bytes.subarray(8);
  if (!bytes.subarray(-footerText.length).equals(footerText)) return null;
  if (!toFrame(payload).equals(bytes)) return null;
  return {
    offset: Number(payload.readBigUInt64LE(0)),
    length: Number(payload.readBigUInt64LE(8)),
    sha256: payload.subarray(16, 48),
  };
}

export const hashOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

function toFrame(payload: Buffer): Buffer {
  const start = Buffer.alloc(8);
  start.writeUInt32LE(skippable, 0);
  start.writeUInt32LE(payload.length, 4);
  return Buffer.concat([start, payload]);
}
