import { Readable } from 'node:stream';
import { constants, createZstdDecompress, zstdDecompressSync } from 'node:zlib';
import { CommandError } from '#lib/command-error.ts';
import { BackupFileError } from './backup-file-error.ts';
import { openFileSource, type BackupSource } from './backup-source.ts';
import { footerBytes, hashOf, headerBytes, isHeader, readFooter } from './frames.ts';
import { formatVersion, manifest, type Manifest, type StoredTable } from './manifest.ts';
import { RowMeter } from './row-meter.ts';

const maxManifestBytes = 4 * 1024 * 1024;
/** Backups shrink to a third or a twentieth. A file that claims more would only fill the disk. */
const maxRatio = 1_000;
/** Our frames need 2 MB of memory; a hostile one could ask for 128 MB. */
const options = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

export interface Backup {
  /** The path of the file, or the address of the object. */
  location: string;
  bytes: number;
  manifest: Manifest;
  /** Identifies the backup: two with the same one have the same contents. */
  sha256: string;
  /**
   * The rows of a table as COPY text. Throws BackupFileError, at the end at the latest, when they
   * are not those that were written.
   */
  readRows(table: StoredTable): AsyncGenerator<Buffer>;
}

/**
 * Reads the manifest of a backup, of a file or of another source. Throws BackupFileError for
 * anything that is not a whole one.
 */
export async function openBackup(location: string | BackupSource): Promise<Backup> {
  const source = typeof location === 'string' ? await openFileSource(location) : location;
  const { manifest, offset, sha256 } = await readManifest(source);
  checkFrames(manifest.tables, offset, source.bytes);
  return {
    location: source.location,
    bytes: source.bytes,
    manifest,
    sha256: sha256.toString('hex'),
    readRows: (table) => readRows(source, table),
  };
}

/** Reads all of a backup and compares it with its manifest. Throws BackupFileError. */
export async function readBackup(
  { manifest, readRows }: Backup,
  signal?: AbortSignal,
): Promise<void> {
  for (const table of manifest.tables)
    for await (const _ of readRows(table)) signal?.throwIfAborted();
}

async function readManifest(
  source: BackupSource,
): Promise<{ manifest: Manifest; offset: number; sha256: Buffer }> {
  const size = source.bytes;
  const first = await readBytes(source, 0, headerBytes);
  if (!isHeader(first)) throw new BackupFileError('is not a backup of Toprung');
  const location = readFooter(await readBytes(source, size - footerBytes, footerBytes));
  if (location === null)
    throw new BackupFileError('was cut off, or its end was changed: it is no whole backup');
  const { offset, length, sha256 } = location;
  if (offset + length !== size - footerBytes || length > maxManifestBytes || offset < headerBytes)
    throw damaged();
  const frame = await readBytes(source, offset, length);
  if (!hashOf(frame).equals(sha256)) throw damaged();
  return { manifest: parseManifest(frame), offset, sha256 };
}

function parseManifest(frame: Buffer): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(
      zstdDecompressSync(frame, { ...options, maxOutputLength: maxManifestBytes }).toString(),
    );
  } catch (cause) {
    throw damaged(cause);
  }
  const { format } = value as { format?: unknown };
  if (typeof format === 'number' && format > formatVersion)
    throw new BackupFileError(
      `is of format ${format}; this version reads ${formatVersion}. Restore it with a newer one`,
    );
  const parsed = manifest.safeParse(value);
  if (!parsed.success)
    throw new BackupFileError('has a manifest that Toprung does not write', {
      cause: parsed.error,
    });
  return parsed.data;
}

/** Frames follow one another without gaps, and declare no more than such a file can hold. */
function checkFrames(tables: readonly StoredTable[], end: number, size: number): void {
  let offset = headerBytes;
  for (const table of tables) {
    if (table.offset !== offset || table.length === 0) throw damaged();
    offset += table.length;
  }
  if (offset !== end) throw damaged();
  if (new Set(tables.map(({ name }) => name)).size !== tables.length) throw damaged();
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  if (bytes > size * maxRatio)
    throw new BackupFileError(`claims to hold ${bytes} bytes, more than a file of its size can`);
}

async function* readRows({ read }: BackupSource, table: StoredTable): AsyncGenerator<Buffer> {
  const meter = new RowMeter();
  const bytesOfFrame = read(table.offset, table.offset + table.length - 1);
  const source =
    bytesOfFrame instanceof Readable
      ? bytesOfFrame
      : Readable.from(bytesOfFrame, { objectMode: false });
  const rows = source.pipe(createZstdDecompress(options));
  source.on('error', (error) => rows.destroy(error));
  let bytes = 0;
  try {
    for await (const chunk of rows as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > table.bytes) throw damaged();
      meter.add(chunk);
      yield chunk;
    }
  } catch (error) {
    throw error instanceof CommandError ? error : damaged(error);
  } finally {
    source.destroy();
    rows.destroy();
  }
  const found = meter.finish();
  if (found.sha256 !== table.sha256 || found.rows !== table.rows || found.bytes !== table.bytes)
    throw damaged();
}

async function readBytes(source: BackupSource, start: number, length: number): Promise<Buffer> {
  if (start < 0 || start + length > source.bytes)
    throw new BackupFileError('is not a backup of Toprung');
  const chunks: Buffer[] = [];
  for await (const chunk of source.read(start, start + length - 1)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (bytes.length !== length) throw new BackupFileError('is not a backup of Toprung');
  return bytes;
}

const damaged = (cause?: unknown): BackupFileError =>
  new BackupFileError('is damaged: its contents are not those that were written', { cause });
