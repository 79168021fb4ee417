import { once } from 'node:events';
import { crc32, createInflateRaw } from 'node:zlib';
import type { ByteSource } from './byte-source.ts';
import { damaged } from './read-zip.ts';
import { ZipError } from './zip-error.ts';

export interface Inflated {
  /** The sizes in bytes. */
  packed: number;
  unpacked: number;
  crc: number;
  /** Null when there is more than what is kept. */
  content: Buffer | null;
}

/**
 * Inflates a file that does not say where it ends. Throws ZipError for a damaged one, and for more
 * than `maxBytes` of content.
 */
export async function inflateToEnd(
  source: ByteSource,
  { name, keptBytes, maxBytes }: { name: string; keptBytes: number; maxBytes: number },
): Promise<Inflated> {
  const inflate = createInflateRaw();
  const kept: Buffer[] = [];
  let [unpacked, crc] = [0, 0];
  let hasEnded = false;
  inflate.on('data', (piece: Buffer) => {
    unpacked += piece.length;
    crc = crc32(piece, crc);
    if (unpacked <= keptBytes) kept.push(piece);
    if (unpacked > maxBytes)
      inflate.destroy(
        new ZipError(
          'too_large',
          name,
          'The unpacked files are too large. Leave the pictures out.',
        ),
      );
  });
  const ended = once(inflate, 'end').then(() => {
    hasEnded = true;
  });
  // A failure is also that of the write during which it happens.
  ended.catch(() => undefined);
  try {
    while (!hasEnded) {
      const piece = await source.next();
      if (piece === null) throw damaged(name);
      const before = inflate.bytesWritten;
      const written = new Promise<void>((resolve) => inflate.write(piece, () => resolve()));
      // Behind the end of the file no write is confirmed.
      await Promise.race([written, ended]);
      const used = inflate.bytesWritten - before;
      if (used < piece.length) {
        source.unread(piece.subarray(used));
        await ended;
      }
    }
  } catch (error) {
    throw error instanceof ZipError ? error : damaged(name, error);
  } finally {
    inflate.destroy();
  }
  return {
    packed: inflate.bytesWritten,
    unpacked,
    crc,
    content: unpacked <= keptBytes ? Buffer.concat(kept) : null,
  };
}
