import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '#lib/command-error.ts';
import { printable } from '#lib/text.ts';
import type { FormatName } from './listing.ts';
import {
  decodeText,
  folderLimits,
  isSkippedFolder,
  readListings,
  tooLong,
  type FolderListing,
  type ReadText,
} from './read-listings.ts';

/**
 * Finds and reads every listing below a folder. Symbolic links are never followed; a file that
 * cannot be read is a fault of its listing. Throws CommandError when the folder cannot be read, or
 * has more than the limits.
 */
export async function readFolder(folder: string, name?: FormatName): Promise<FolderListing[]> {
  const { files, links } = await listFiles(folder);
  const budget = { files: folderLimits.files, bytes: folderLimits.totalBytes };
  return readListings(files, links, (path) => readText(folder, path, budget), name);
}

/** Paths from the folder, with `/`, in alphabetical order. */
async function listFiles(folder: string): Promise<{ files: string[]; links: string[] }> {
  const files: string[] = [];
  const links: string[] = [];
  let entries = 0;
  const visit = async (path: string, depth: number): Promise<void> => {
    if (depth > folderLimits.depth) return;
    for (const entry of await readEntries(join(folder, path), path)) {
      entries += 1;
      if (entries > folderLimits.entries)
        throw new CommandError(
          `${folder} has more than ${folderLimits.entries} files. Name the folder of the ` +
            'listings, such as fastlane/metadata.',
        );
      const inner = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isSymbolicLink()) links.push(inner);
      else if (entry.isFile()) files.push(inner);
      else if (entry.isDirectory() && !isSkippedFolder(entry.name)) await visit(inner, depth + 1);
    }
  };
  await visit('', 0);
  return { files: files.sort(), links: links.sort() };
}

async function readEntries(absolute: string, path: string) {
  try {
    if (path === '' && !(await lstat(absolute)).isDirectory())
      throw new CommandError(`${absolute} is not a folder. Name the folder of the listings.`);
    return await readdir(absolute, { withFileTypes: true });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new CommandError(
      `${printable(absolute)} cannot be read (${code}). Check the path and its access.`,
    );
  }
}

async function readText(
  folder: string,
  file: string,
  budget: { files: number; bytes: number },
): Promise<ReadText> {
  const fail = (message: string): ReadText => ({ fault: { file, message } });
  try {
    // The file may have become a link, or a pipe that never ends, since it was listed.
    const handle = await open(
      join(folder, file),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) return fail('This is not a file: replace it by one');
      if (stat.size > folderLimits.fileBytes) return tooLong(file);
      budget.files -= 1;
      budget.bytes -= stat.size;
      if (budget.files < 0 || budget.bytes < 0)
        throw new CommandError(
          `${folder} has more texts than any listing. Name the folder of one app's listing.`,
        );
      return decodeText(file, await handle.readFile());
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return fail(`The file cannot be read (${code}): check its access`);
  }
}
