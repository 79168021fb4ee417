import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { constants, createZstdDecompress, zstdDecompressSync } from 'node:zlib';
import { BackupFileError } from './backup-file-error.ts';
import { footerBytes, hashOf, headerBytes, isHeader, readFooter } from './frames.ts';
import { formatVersion, manifest, type Manifest, type StoredTable } from './manifest.ts';
import { RowMeter } from './row-meter.ts';

const maxManifestBytes = 4 * 1024 * 1024;
/** Backups shrink to a third or a twentieth. A file that claims more would only fill the disk. */
const maxRatio = 1_000;
/** Our frames need 2 MB of memory; a hostile one could ask for 128 MB. */
const options = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

export interface Backup {
  path: string;
  bytes: number;
  manifest: Manifest;
  /**
   * The rows of a table as COPY text. Throws BackupFileError, at the end at the latest, when they
   * are not those that were written.
   */
  readRows(table: StoredTable): AsyncGenerator<Buffer>;
}

/** Reads the manifest of a backup. Throws BackupFileError for any file that is not a whole one. */
export async function openBackup(path: string): Promise<Backup> {
  const file = await open(path, 'r').catch((cause: NodeJS.ErrnoException) => {
    throw new BackupFileError(`${path} cannot be read: ${cause.code}`, { cause });
  });
  try {
    const { size } = await file.stat();
    const read = await readManifest(file, size);
    checkFrames(read.manifest.tables, read.offset, size);
    return {
      path,
      bytes: size,
      manifest: read.manifest,
      readRows: (table) => readRows(path, table),
    };
  } finally {
    await file.close();
  }
}

/** Reads all of a backup and compares it with its manifest. Throws BackupFileError. */
export async function readBackup({ manifest, readRows }: Backup): Promise<void> {
  for (const table of manifest.tables) for await (const _ of readRows(table));
}

async function readManifest(
  file: FileHandle,
  size: number,
): Promise<{ manifest: Manifest; offset: number }> {
  const first = await readBytes(file, 0, headerBytes);
  if (!isHeader(first)) throw new BackupFileError('is not a backup of Toprung');
  const location = readFooter(await readBytes(file, size - footerBytes, footerBytes));
  if (location === null)
    throw new BackupFileError('was cut off, or its end was changed: it is no whole backup');
  const { offset, length } = location;
  if (offset + length !== size - footerBytes || length > maxManifestBytes || offset < headerBytes)
    throw damaged();
  const frame = await readBytes(file, offset, length);
  if (!hashOf(frame).equals(location.sha256)) throw damaged();
  return { manifest: parseManifest(frame), offset };
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
    if (table.offset !== offset) throw damaged();
    offset += table.length;
  }
  if (offset !== end) throw damaged();
  if (new Set(tables.map(({ name }) => name)).size !== tables.length) throw damaged();
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  if (bytes > size * maxRatio)
    throw new BackupFileError(`claims to hold ${bytes} bytes, more than a file of its size can`);
}

async function* readRows(path: string, table: StoredTable): AsyncGenerator<Buffer> {
  const meter = new RowMeter();
  const end = table.offset + table.length - 1;
  const source = createReadStream(path, { start: table.offset, end });
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
    throw error instanceof BackupFileError ? error : damaged(error);
  } finally {
    source.destroy();
    rows.destroy();
  }
  const found = meter.finish();
  if (found.sha256 !== table.sha256 || found.rows !== table.rows || found.bytes !== table.bytes)
    throw damaged();
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  if (position < 0) throw new BackupFileError('is not a backup of Toprung');
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  if (bytesRead !== length) throw new BackupFileError('is not a backup of Toprung');
  return bytes;
}

const damaged = (cause?: unknown): BackupFileError =>
  new BackupFileError('is damaged: its contents are not those that were written', { cause });
