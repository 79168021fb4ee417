import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet';
import type { PositionFile, PositionFiles } from '#domain/base/ports/position-files.ts';
import { fingerprintKey, writePositions } from './position-writer.ts';

const workspaceFolder = /^workspace=([1-9]\d{0,9})$/;
const monthFolder = /^month=(\d{4}-\d\d)$/;
const fileName = 'positions.parquet';
/** A killed run leaves such a file. Readers match `*.parquet`. */
const draftName = /^\.positions-[0-9a-f]+\.partial$/;

/**
 * The files below a folder, in the layout that DuckDB, Spark and pandas read as partitions:
 * `workspace=1/month=2026-11/positions.parquet`. Files of other names are left alone.
 */
export function openPositionFolder(folder: string, product: string): PositionFiles {
  const folderOf = ({ workspaceId, month }: Pick<PositionFile, 'workspaceId' | 'month'>) =>
    join(folder, `workspace=${workspaceId}`, `month=${month}`);
  return {
    list: () => listFiles(folder),
    write: async (file, rows) => {
      const target = folderOf(file);
      await mkdir(target, { recursive: true, mode: 0o700 });
      const draft = join(target, `.positions-${randomBytes(6).toString('hex')}.partial`);
      const count = await writePositions(join(target, fileName), draft, { file, product }, rows);
      if (count === 0) await removeEmpty(folder, file.workspaceId, target);
      return count;
    },
    remove: async (file) => {
      await rm(join(folderOf(file), fileName), { force: true });
      await removeEmpty(folder, file.workspaceId, folderOf(file));
    },
  };
}

async function listFiles(folder: string): Promise<PositionFile[]> {
  const files: PositionFile[] = [];
  for (const workspace of await namesIn(folder, workspaceFolder))
    for (const month of await namesIn(join(folder, workspace), monthFolder)) {
      const path = join(folder, workspace, month);
      const names = await readdir(path);
      for (const name of names.filter((file) => draftName.test(file))) await rm(join(path, name));
      if (!names.includes(fileName)) continue;
      files.push({
        workspaceId: Number(workspaceFolder.exec(workspace)![1]),
        month: monthFolder.exec(month)![1]!,
        fingerprint: await readFingerprint(join(path, fileName)),
      });
    }
  return files;
}

async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && pattern.test(entry.name))
    .map(({ name }) => name);
}

/** Empty for a file that cannot be read, which is then written anew. */
async function readFingerprint(path: string): Promise<string> {
  try {
    const metadata = await parquetMetadataAsync(await asyncBufferFromFile(path));
    const entry = metadata.key_value_metadata?.find(({ key }) => key === fingerprintKey);
    return entry?.value ?? '';
  } catch {
    return '';
  }
}

/** Folders that still have files of others stay. */
async function removeEmpty(folder: string, workspaceId: number, path: string): Promise<void> {
  for (const empty of [path, join(folder, `workspace=${workspaceId}`)])
    await rmdir(empty).catch(() => undefined);
}
