import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** The bytes that this process may still write to the file system of a directory. */
export async function readFreeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/** The size of all files below a directory, as they are on the disk. */
export async function measureFolder(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  let bytes = 0;
  for (const entry of entries.filter((found) => found.isFile())) {
    const { blocks } = await stat(join(entry.parentPath, entry.name));
    bytes += blocks * 512;
  }
  return bytes;
}
