import type { FormatName } from '../listing.ts';
import {
  decodeText,
  folderLimits,
  isReadPath,
  readListings,
  tooLong,
  type FolderListing,
  type ReadText,
} from '../read-listings.ts';
import type { ZipEntry } from './read-zip.ts';

/** The listings in a zip. Only their texts are unpacked. Throws ZipError for a damaged one. */
export function readZipListings(
  entries: readonly ZipEntry[],
  tool?: FormatName,
): Promise<FolderListing[]> {
  const files = new Map(
    entries
      .filter(({ name, isFolder }) => !isFolder && isReadPath(name))
      .map((entry) => [entry.name, entry]),
  );
  const read = async (name: string): Promise<ReadText> => {
    const entry = files.get(name)!;
    return entry.bytes > folderLimits.fileBytes
      ? tooLong(name)
      : decodeText(name, await entry.unpack());
  };
  return readListings([...files.keys()].toSorted(), [], read, tool);
}
