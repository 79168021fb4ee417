import { chmod, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import type { PositionFile, PositionRow } from '#domain/base/ports/position-files.ts';
import { PositionBatch, positionSchema } from './position-columns.ts';

/** A row group is in memory while it is written. */
const rowsPerGroup = 25_000;
const isWindows = process.platform === 'win32';

export const fingerprintKey = 'toprung.fingerprint';

/**
 * Writes all rows to `path` under a name of its own first, and returns their number. Without rows
 * no file is written. A crash leaves the file that was there.
 */
export async function writePositions(
  path: string,
  draft: string,
  { file, product }: { file: PositionFile; product: string },
  rows: AsyncIterable<readonly PositionRow[]>,
): Promise<number> {
  const target = fileWriter(draft);
  try {
    await chmod(draft, 0o600);
    const writer = new ParquetWriter({
      writer: target,
      schema: positionSchema,
      codec: 'ZSTD',
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
      createdBy: `toprung version ${product}`,
      kvMetadata: [
        { key: 'toprung.version', value: product },
        { key: 'toprung.content', value: 'positions 1' },
        { key: 'toprung.workspace', value: String(file.workspaceId) },
        { key: 'toprung.month', value: file.month },
        { key: fingerprintKey, value: file.fingerprint },
      ],
    });
    const count = await writeGroups(writer, rows);
    await writer.finish();
    if (count > 0) await publish(draft, path);
    return count;
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeGroups(
  writer: ParquetWriter,
  rows: AsyncIterable<readonly PositionRow[]>,
): Promise<number> {
  let [batch, count] = [new PositionBatch(), 0];
  const flush = async () => {
    const columnData = batch.toColumns();
    await writer.write({ columnData, rowGroupSize: rowsPerGroup });
    count += batch.length;
    batch = new PositionBatch();
  };
  for await (const page of rows) {
    if (batch.length + page.length > rowsPerGroup) await flush();
    batch.add(page);
  }
  if (batch.length > 0) await flush();
  return count;
}

/** On disk before it has its name, so that no crash leaves half a file under it. */
async function publish(draft: string, path: string): Promise<void> {
  await syncPath(draft);
  await rename(draft, path);
  if (!isWindows) await syncPath(dirname(path));
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
