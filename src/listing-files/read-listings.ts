import { findListings } from './formats.ts';
import {
  maxFaults,
  type Fault,
  type FolderTexts,
  type FormatName,
  type Listing,
} from './listing.ts';

/** Far above any listing, so that a wrong folder ends soon. */
export const folderLimits = {
  entries: 50_000,
  depth: 12,
  fileBytes: 1024 * 1024,
  files: 5_000,
  totalBytes: 32 * 1024 * 1024,
};

/** Folders in which no tool looks for texts. `__MACOSX` is in the zips of macOS. */
const skippedFolders = new Set([
  'node_modules',
  'Pods',
  'build',
  'dist',
  'DerivedData',
  'vendor',
  '__MACOSX',
]);

export const isSkippedFolder = (name: string): boolean =>
  name.startsWith('.') || skippedFolders.has(name);

/** True for a file in folders in which texts are looked for. */
export function isReadPath(path: string): boolean {
  const folders = path.split('/').slice(0, -1);
  return folders.length <= folderLimits.depth && !folders.some(isSkippedFolder);
}

export interface FolderListing {
  listing: Listing;
  texts: FolderTexts;
}

export type ReadText = { text: string; fault?: undefined } | { text?: undefined; fault: Fault };

/** The listings among paths, whose texts come from a folder, a commit or a zip. */
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
    const all = [...faults, ...listing.faults].slice(0, maxFaults);
    found.push({ listing: { ...listing, faults: all }, texts });
  }
  return found;
}

/** A byte order mark stays in the text, as most tools send it. */
export function decodeText(file: string, bytes: Uint8Array): ReadText {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { fault: { file, message: 'The file is not UTF-8: save it as UTF-8' } };
  }
}

export const tooLong = (file: string): ReadText => ({
  fault: { file, message: `The file has more than ${folderLimits.fileBytes} bytes: shorten it` },
});
