import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandError } from '#lib/command-error.ts';
import { hasControlCharacter, printable } from '#lib/text.ts';
import type { FileChange } from './listing.ts';

/**
 * Writes the changes into a folder. Each file is replaced as a whole, so that a kill leaves the old
 * or the new text. Paths are checked before the first is written: one outside the folder, or one
 * that passes a symbolic link, throws CommandError and nothing changes.
 */
export async function writeFolder(folder: string, changes: readonly FileChange[]): Promise<void> {
  for (const { file } of changes) await checkPath(folder, file);
  for (const [written, { file, text }] of changes.entries()) {
    await checkPath(folder, file);
    const path = join(folder, file);
    try {
      if (text === null) await rm(path, { force: true });
      else await replaceFile(path, text);
    } catch (error) {
      const { code = 'unknown error' } = error as NodeJS.ErrnoException;
      throw new CommandError(
        `${printable(path)} could not be written (${code}). Check its access and the disk. ` +
          describeWritten(written, changes.length),
      );
    }
  }
}

function describeWritten(written: number, all: number): string {
  if (written === 0) return 'No file was written.';
  return `${written} of ${all} files ${written === 1 ? 'was' : 'were'} written before it.`;
}

const part = /^[^/\\:*?"<>|]{1,100}$/;
const isPart = (text: string): boolean =>
  part.test(text) && text !== '.' && text !== '..' && !hasControlCharacter(text);

async function checkPath(folder: string, file: string): Promise<void> {
  const parts = file.split('/');
  if (parts.length > 12 || !parts.every(isPart))
    throw new CommandError(
      `"${printable(file.slice(0, 200))}" is not a path inside the folder, so it was not ` +
        'written. Rename the locale.',
    );
  for (let at = 1; at <= parts.length; at += 1) {
    const path = parts.slice(0, at).join('/');
    const stat = await lstat(join(folder, path)).catch(() => null);
    if (stat === null) return;
    if (at < parts.length ? !stat.isDirectory() : !stat.isFile()) {
      const kind = stat.isSymbolicLink() ? 'a symbolic link' : 'no file or folder';
      throw new CommandError(
        `${printable(path)} is ${kind}, so nothing was written through it. ` +
          'Replace it by a real one.',
      );
    }
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const next = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(
      next,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
      0o644,
    );
    try {
      await handle.writeFile(text, 'utf8');
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(next, path);
  } catch (error) {
    // A disk that accepts no file may refuse this, too.
    await rm(next, { force: true }).catch(() => undefined);
    throw error;
  }
}
