import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '#lib/command-error.ts';
import { findListings } from './formats.ts';
import type { Fault, FolderTexts, FormatName, Listing } from './listing.ts';

/** Far above any listing, so that a wrong folder ends soon. */
export const folderLimits = {
  entries: 50_000,
  depth: 12,
  fileBytes: 1024 * 1024,
  files: 5_000,
  totalBytes: 32 * 1024 * 1024,
};

/** Folders in which no tool looks for texts. */
const skippedFolders = new Set(['node_modules', 'Pods', 'build', 'dist', 'DerivedData', 'vendor']);

export interface FolderListing {
  listing: Listing;
  texts: FolderTexts;
}

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

/** The listings among paths, whose texts come from a folder or from a commit. */
export async function readListings(
  files: readonly string[],
  links: readonly string[],
  read: (path: string) => Promise<ReadText>,
  name?: FormatName,
): Promise<FolderListing[]> {
  const found: FolderListing[] = [];
  for (const { format, root } of findListings([...files, ...links], name)) {
    const texts = new Map<string, string>();
    const faults: Fault[] = links
      .filter((path) => format.owns(root, path))
      .map((file) => ({
        file,
        message: 'A symbolic link is not followed: replace it by the file',
      }));
    for (const path of files.filter((file) => format.owns(root, file))) {
      const { text, fault } = await read(path);
      if (fault) faults.push(fault);
      else texts.set(path, text);
    }
    const listing = format.read(root, texts);
    found.push({ listing: { ...listing, faults: [...faults, ...listing.faults] }, texts });
  }
  return found;
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
      else if (
        entry.isDirectory() &&
        !entry.name.startsWith('.') &&
        !skippedFolders.has(entry.name)
      )
        await visit(inner, depth + 1);
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
    throw new CommandError(`${absolute} cannot be read (${code}). Check the path and its access.`);
  }
}

export type ReadText = { text: string; fault?: undefined } | { text?: undefined; fault: Fault };

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
      if (stat.size > folderLimits.fileBytes)
        return fail(`The file has more than ${folderLimits.fileBytes} bytes: shorten it`);
      budget.files -= 1;
      budget.bytes -= stat.size;
      if (budget.files < 0 || budget.bytes < 0)
        throw new CommandError(
          `${folder} has more texts than any listing. Name the folder of one app's listing.`,
        );
      return decode(await handle.readFile()) ?? fail('The file is not UTF-8: save it as UTF-8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return fail(`The file cannot be read (${code}): check its access`);
  }
}

/** A byte order mark stays in the text, as most tools send it. */
function decode(bytes: Buffer): ReadText | null {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return null;
  }
}
