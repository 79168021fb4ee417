import { crc32 } from 'node:zlib';
import { fromBufferPromise, getFileNameLowLevel, type Entry, type ZipFile } from 'yauzl';
import { hasControlCharacter } from '#lib/text.ts';
import { ZipError } from './zip-error.ts';

export const zipLimits = {
  /** Files and folders. */
  entries: 5_000,
  /** Of all files together. */
  unpackedBytes: 32 * 1024 * 1024,
  nameBytes: 1_000,
} as const;

export interface ZipEntry {
  /** A path inside the zip, with `/`; that of a folder ends with it. */
  name: string;
  bytes: number;
  isFolder: boolean;
  isCompressed: boolean;
  modifiedAt: Date;
  /** The access bits; null when the zip has none. */
  mode: number | null;
  /** Throws ZipError. */
  unpack: () => Promise<Buffer>;
}

/** The list of a zip's files. Nothing is unpacked before all of them are found safe. */
export async function readZip(bytes: Buffer): Promise<ZipEntry[]> {
  if (bytes.toString('latin1', 0, 2) !== 'PK')
    throw new ZipError('not_a_zip', null, 'The file is not a zip. Zip the folder and send that.');
  const entries: ZipEntry[] = [];
  const names = new Set<string>();
  let unpackedBytes = 0;
  try {
    const zip = await fromBufferPromise(bytes, { decodeStrings: false });
    for await (const entry of zip.eachEntry()) {
      if (entries.length >= zipLimits.entries)
        throw new ZipError(
          'too_many_files',
          null,
          `The zip has more than ${zipLimits.entries} files. Zip the folder of the listing alone.`,
        );
      const read = readEntry(zip, entry);
      unpackedBytes += read.bytes;
      if (unpackedBytes > zipLimits.unpackedBytes)
        throw new ZipError(
          'too_large',
          null,
          `The files have more than ${zipLimits.unpackedBytes / 1024 / 1024} MB. Leave the ` +
            'pictures out.',
        );
      const key = read.name.replace(/\/$/, '').normalize('NFC');
      if (names.has(key))
        throw new ZipError('duplicate_name', read.name, 'Two files have this name. Remove one.');
      names.add(key);
      entries.push(read);
    }
  } catch (error) {
    throw error instanceof ZipError ? error : damaged(null, error);
  }
  return entries;
}

export const damaged = (file: string | null, cause?: unknown): ZipError =>
  new ZipError('damaged', file, 'The zip is damaged. Make it again.', cause);

function readEntry(zip: ZipFile, entry: Entry): ZipEntry {
  const name = decodeName(entry);
  assertSafe(name);
  const isFolder = name.endsWith('/');
  const attributes = entry.externalFileAttributes >>> 16;
  const kind = attributes & 0o170_000;
  if (kind !== 0 && kind !== (isFolder ? 0o040_000 : 0o100_000))
    throw new ZipError(
      'not_a_file',
      name,
      'This is a symbolic link or another special file, which is not followed. Replace it by ' +
        'the file.',
    );
  if (entry.isEncrypted())
    throw new ZipError('encrypted', name, 'The zip has a password. Make one without it.');
  if (!entry.canDecodeFileData())
    throw new ZipError(
      'unknown_compression',
      name,
      'The file is compressed in a way that is not read. Make a zip with the usual compression.',
    );
  return {
    name,
    bytes: entry.uncompressedSize,
    isFolder,
    isCompressed: entry.compressionMethod !== 0,
    modifiedAt: entry.getLastModDate(),
    mode: attributes === 0 ? null : attributes & 0o777,
    unpack: () => unpack(zip, entry, name),
  };
}

async function unpack(zip: ZipFile, entry: Entry, name: string): Promise<Buffer> {
  try {
    const chunks: Buffer[] = [];
    // It fails when more bytes come out than the zip states.
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    if (crc32(bytes) === entry.crc32) return bytes;
  } catch (error) {
    throw damaged(name, error);
  }
  throw damaged(name);
}

/** Tools of macOS write UTF-8 and do not say so. */
export function decodeName({
  fileNameRaw,
  generalPurposeBitFlag,
  extraFields,
}: Pick<Entry, 'fileNameRaw' | 'generalPurposeBitFlag' | 'extraFields'>): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fileNameRaw);
  } catch {
    return getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
  }
}

export function isSafePath(name: string): boolean {
  const parts = name.replace(/\/$/, '').split('/');
  return (
    Buffer.byteLength(name) <= zipLimits.nameBytes &&
    !hasControlCharacter(name) &&
    !name.includes('\\') &&
    !/^[A-Za-z]:/.test(name) &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  );
}

export function assertSafe(name: string): void {
  if (!isSafePath(name))
    throw new ZipError(
      'unsafe_path',
      name.slice(0, 200),
      'The name is not a path inside the folder. Zip the folder itself.',
    );
}
