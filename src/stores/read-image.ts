import type { ImageType, StoreImage } from '#domain/base/ports.ts';

/** The largest side that a store sends for the requested sizes, with a margin. */
const maxSide = 2_000;

const startsWith = (bytes: Buffer, signature: string, at = 0): boolean =>
  bytes.subarray(at, at + signature.length).equals(Buffer.from(signature, 'latin1'));

/**
 * Reads the format and size of a picture from its bytes, whatever the server says that it is. Null
 * for anything but a PNG, JPEG or WebP of at most 2,000 pixels a side: an SVG can run scripts, and
 * a huge picture fills the memory of browsers.
 */
export function readImage(bytes: Buffer): StoreImage | null {
  const read = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
  if (read === null) return null;
  const { width, height } = read;
  const isSane = (side: number) => side >= 1 && side <= maxSide;
  return isSane(width) && isSane(height) ? { ...read, bytes } : null;
}

type Facts = Omit<StoreImage, 'bytes'>;

function readPng(bytes: Buffer): Facts | null {
  if (bytes.length < 33 || !startsWith(bytes, '\x89PNG\r\n\x1a\n\0\0\0\rIHDR')) return null;
  return facts('image/png', bytes.readUInt32BE(16), bytes.readUInt32BE(20));
}

/** The size is in the first frame header, behind segments whose lengths lead to it. */
function readJpeg(bytes: Buffer): Facts | null {
  if (!startsWith(bytes, '\xff\xd8\xff')) return null;
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!;
    if (marker === 0xff) at += 1;
    else if (isFrame(marker))
      return facts('image/jpeg', bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return null;
}

/** C4, C8 and CC are tables, not frames. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function readWebp(bytes: Buffer): Facts | null {
  if (bytes.length < 30 || !startsWith(bytes, 'RIFF') || !startsWith(bytes, 'WEBP', 8)) return null;
  if (startsWith(bytes, 'VP8X', 12))
    return facts('image/webp', 1 + bytes.readUIntLE(24, 3), 1 + bytes.readUIntLE(27, 3));
  if (startsWith(bytes, 'VP8L', 12) && bytes[20] === 0x2f) {
    const bits = bytes.readUInt32LE(21);
    return facts('image/webp', 1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff));
  }
  if (startsWith(bytes, 'VP8 ', 12) && startsWith(bytes, '\x9d\x01\x2a', 23))
    return facts('image/webp', bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  return null;
}

const facts = (type: ImageType, width: number, height: number): Facts => ({ type, width, height });
