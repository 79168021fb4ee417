import { crc32, inflateRawSync } from 'node:zlib';
import { dosDateTimeToDate } from 'yauzl';
import { largeZipBytes } from '#contract/body-limits.ts';
import { folderLimits } from '../read-listings.ts';
import { ByteSource } from './byte-source.ts';
import { inflateToEnd } from './inflate-to-end.ts';
import { readHeader, takeDescriptor, type Header, type Sized } from './zip-headers.ts';
import { signatures } from './zip-signatures.ts';
import { assertSafe, damaged, zipLimits, type ZipEntry } from './read-zip.ts';
import { ZipError } from './zip-error.ts';

export const zipStreamLimits = {
  bytes: largeZipBytes,
  /** Files and folders, kept or not. */
  entries: 50_000,
  /** Content that is inflated only to find where a file ends. */
  inflatedBytes: 1024 * 1024 * 1024,
} as const;

interface LocalFile extends Sized {
  /** Null when the file is longer than any text. */
  content: Buffer | null;
}

type Limits = Record<keyof typeof zipStreamLimits, number>;

interface State {
  limits: Limits;
  source: ByteSource;
  isKept: (name: string) => boolean;
  /** Kept files by the position of their header. */
  kept: Map<number, LocalFile>;
  files: number;
  keptBytes: number;
  inflatedBytes: number;
}

/**
 * The kept files of a zip that is read once from its beginning to its end; the others are skipped
 * without being kept or stored. Memory has the kept files alone. Throws ZipError: for a zip that
 * is damaged or above the limits, for an unsafe name of any file, and for a kept file that is a
 * link, encrypted or compressed in another way.
 */
export async function readZipStream(
  stream: AsyncIterable<Uint8Array>,
  isKept: (name: string) => boolean,
  limits: Limits = zipStreamLimits,
): Promise<ZipEntry[]> {
  const source = new ByteSource(stream, limits.bytes);
  const state = {
    limits,
    source,
    isKept,
    kept: new Map(),
    files: 0,
    keptBytes: 0,
    inflatedBytes: 0,
  };
  try {
    const first = await source.takeUpTo(4);
    let signature = first.length < 4 ? 0 : first.readUInt32LE();
    if (signature !== signatures.file && signature !== signatures.end)
      throw new ZipError('not_a_zip', null, 'The file is not a zip. Zip the folder and send that.');
    while (signature === signatures.file) {
      await readFile(state);
      signature = await readSignature(source);
    }
    return await readDirectory(state, signature);
  } finally {
    await source.release();
  }
}

const readSignature = async (source: ByteSource): Promise<number> =>
  (await source.take(4)).readUInt32LE();

async function readFile(state: State): Promise<void> {
  const { source, isKept } = state;
  const at = source.position - 4;
  state.files += 1;
  if (state.files > state.limits.entries) throw tooManyFiles();
  const fixed = await source.take(26);
  const header = readHeader(fixed.subarray(2), {
    name: await source.take(fixed.readUInt16LE(22)),
    extra: await source.take(fixed.readUInt16LE(24)),
  });
  const { name, flags, method } = header;
  assertSafe(name);
  const isText = isKept(name);
  const hasDescriptor = (flags & 8) !== 0;
  if (isText && (flags & 1) !== 0) throw encrypted(name);
  const file: LocalFile = { ...header, content: null, isInflated: false };
  if (hasDescriptor && header.packed === 0) await readUnsized(state, file, isText);
  else if (isText && header.packed <= folderLimits.fileBytes) {
    file.content = await source.take(header.packed);
    keep(state, Math.max(header.packed, Math.min(header.unpacked, folderLimits.fileBytes)));
  } else await source.discard(header.packed);
  if (hasDescriptor && !(await takeDescriptor(source, file)))
    throw method === 0 && header.packed === 0 ? unknownLength(name) : damaged(name);
  if (isText) {
    if (state.kept.size >= zipLimits.entries) throw tooManyFiles();
    state.kept.set(at, file);
  }
}

/** A file whose sizes come after it. */
async function readUnsized(state: State, file: LocalFile, isText: boolean): Promise<void> {
  const { name, method, flags } = file;
  // An encrypted file cannot be inflated to its end.
  if ((flags & 1) !== 0) throw encrypted(name);
  if (method === 0) {
    // Only an empty one has a known end.
    file.content = isText ? Buffer.alloc(0) : null;
    return;
  }
  if (method !== 8) throw unknownLength(name);
  const inflated = await inflateToEnd(state.source, {
    name,
    keptBytes: isText ? folderLimits.fileBytes : 0,
    maxBytes: state.limits.inflatedBytes - state.inflatedBytes,
  });
  state.inflatedBytes += inflated.unpacked;
  Object.assign(file, inflated, { isInflated: true });
  if (isText && inflated.content) keep(state, inflated.content.length);
}

function keep(state: State, bytes: number): void {
  state.keptBytes += bytes;
  if (state.keptBytes > zipLimits.unpackedBytes)
    throw new ZipError(
      'too_large',
      null,
      `The texts have more than ${zipLimits.unpackedBytes / 1024 / 1024} MB. Zip the folder of ` +
        'one listing.',
    );
}

/** The list at the end, which says which files are links. Each kept file has to be in it. */
async function readDirectory(state: State, first: number): Promise<ZipEntry[]> {
  const { source, kept, isKept } = state;
  const entries: ZipEntry[] = [];
  const names = new Set<string>();
  let signature = first;
  while (signature === signatures.directory) {
    const fixed = await source.take(42);
    const header = readHeader(fixed.subarray(4), {
      name: await source.take(fixed.readUInt16LE(24)),
      extra: await source.take(fixed.readUInt16LE(26)),
      offset: fixed.readUInt32LE(38),
    });
    await source.discard(fixed.readUInt16LE(28));
    const { name } = header;
    assertSafe(name);
    const key = name.replace(/\/$/, '').normalize('NFC');
    if (names.has(key))
      throw new ZipError('duplicate_name', name, 'Two files have this name. Remove one.');
    if (names.size >= state.limits.entries) throw tooManyFiles();
    names.add(key);
    const file = kept.get(header.offset);
    if ((file !== undefined) !== isKept(name)) throw damaged(name);
    if (file) entries.push(readEntry(file, header, fixed));
    kept.delete(header.offset);
    signature = await readSignature(source);
  }
  await readEnd(source, signature, names.size);
  return entries;
}

async function readEnd(source: ByteSource, first: number, files: number): Promise<void> {
  let signature = first;
  while (signature !== signatures.end) {
    if (signature === signatures.end64) await source.discard(readSize(await source.take(8)));
    else if (signature === signatures.locator64) await source.discard(16);
    else if (signature === signatures.signature)
      await source.discard((await source.take(2)).readUInt16LE());
    else throw damaged(null);
    signature = await readSignature(source);
  }
  const end = await source.take(18);
  // More than 65,534 files are counted elsewhere.
  const stated = end.readUInt16LE(6);
  await source.discard(end.readUInt16LE(16));
  if ((stated !== files && stated !== 0xffff) || (await source.next()) !== null)
    throw damaged(null);
}

const readSize = (bytes: Buffer): number => {
  const size = Number(bytes.readBigUInt64LE());
  if (size > 1024 * 1024) throw damaged(null);
  return size;
};

function readEntry(file: LocalFile, header: Header, fixed: Buffer): ZipEntry {
  const { name, method, unpacked, crc } = header;
  const attributes = fixed.readUInt16LE(36);
  const kind = attributes & 0o170_000;
  if (kind !== 0 && kind !== 0o100_000)
    throw new ZipError(
      'not_a_file',
      name,
      'This is a symbolic link or another special file, which is not followed. Replace it by ' +
        'the file.',
    );
  if ((header.flags & 1) !== 0) throw encrypted(name);
  if (method !== 0 && method !== 8)
    throw new ZipError(
      'unknown_compression',
      name,
      'The file is compressed in a way that is not read. Make a zip with the usual compression.',
    );
  const isSame = (['name', 'method', 'packed', 'unpacked', 'crc'] as const).every(
    (part) => file[part] === header[part],
  );
  if (!isSame) throw damaged(name);
  return {
    name,
    // A file that is too long for a text has no content, whatever size it states.
    bytes: file.content === null ? Math.max(unpacked, folderLimits.fileBytes + 1) : unpacked,
    isFolder: false,
    isCompressed: method !== 0,
    modifiedAt: dosDateTimeToDate(fixed.readUInt16LE(10), fixed.readUInt16LE(8)),
    mode: attributes === 0 ? null : attributes & 0o777,
    unpack: async () => unpack(file, { name, method, unpacked, crc }),
  };
}

function unpack(
  { content, isInflated }: LocalFile,
  { name, method, unpacked, crc }: Pick<Header, 'name' | 'method' | 'unpacked' | 'crc'>,
): Buffer {
  try {
    const bytes =
      isInflated || method === 0
        ? content!
        : inflateRawSync(content!, {
            maxOutputLength: Math.min(Math.max(1, unpacked), folderLimits.fileBytes),
          });
    if (bytes.length === unpacked && crc32(bytes) === crc) return bytes;
  } catch (error) {
    throw damaged(name, error);
  }
  throw damaged(name);
}

const tooManyFiles = (): ZipError =>
  new ZipError(
    'too_many_files',
    null,
    `The zip has more than ${zipStreamLimits.entries} files, or ${zipLimits.entries} texts. Zip ` +
      'the folder of the listing alone.',
  );

const encrypted = (name: string): ZipError =>
  new ZipError('encrypted', name, 'The zip has a password. Make one without it.');

const unknownLength = (name: string): ZipError =>
  new ZipError(
    'unknown_compression',
    name,
    'The file does not say where it ends. Make the zip with another tool, or with compression.',
  );
