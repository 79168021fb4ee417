import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import type { FileChange } from '../listing.ts';
import type { ZipEntry } from './read-zip.ts';

const newFileMode = 0o644;

/**
 * The files of a zip with changes. Files that do not change keep their bytes, times and order; new
 * ones come last. Throws ZipError for a damaged file.
 */
export async function writeZip(
  entries: readonly ZipEntry[],
  changes: readonly FileChange[],
  now: Date,
): Promise<Buffer> {
  const texts = new Map(changes.map(({ file, text }) => [file, text]));
  const zip = new ZipFile();
  for (const { name, isFolder, isCompressed: compress, mode, modifiedAt, unpack } of entries) {
    const text = texts.get(name);
    texts.delete(name);
    const access = {
      mode: (isFolder ? 0o040_000 : 0o100_000) | (mode ?? (isFolder ? 0o755 : newFileMode)),
    };
    if (text === null) continue;
    if (isFolder) zip.addEmptyDirectory(name, { ...access, mtime: modifiedAt });
    else if (text === undefined)
      zip.addBuffer(await unpack(), name, { ...access, mtime: modifiedAt, compress });
    else zip.addBuffer(Buffer.from(text), name, { ...access, mtime: now, compress });
  }
  for (const [name, text] of texts)
    if (text !== null)
      zip.addBuffer(Buffer.from(text), name, { mode: 0o100_000 | newFileMode, mtime: now });
  zip.end();
  return buffer(zip.outputStream);
}
