import { asc } from './formats/asc.ts';
import { deliver } from './formats/deliver.ts';
import { eas } from './formats/eas.ts';
import { fDroid } from './formats/f-droid.ts';
import { gradlePlayPublisher } from './formats/gradle-play-publisher.ts';
import { supply } from './formats/supply.ts';
import type { Format, FormatName } from './listing.ts';

/** F-Droid comes before deliver and supply, whose names it shares. */
const formats: readonly Format[] = [fDroid, deliver, supply, asc, gradlePlayPublisher, eas];

export function formatOf(name: FormatName): Format {
  return formats.find((format) => format.name === name)!;
}

export interface FoundListing {
  format: Format;
  root: string;
}

/**
 * The listings among the paths of a folder. A folder belongs to one format. With a name, only that
 * tool's are found, also where another tool would read the same files.
 */
export function findListings(paths: readonly string[], name?: FormatName): FoundListing[] {
  const found: FoundListing[] = [];
  for (const format of formats) {
    if (name !== undefined && format.name !== name) continue;
    const roots = name === 'f-droid' ? rootsOfFDroid(format, paths) : format.findRoots(paths);
    for (const root of roots)
      if (!found.some((other) => other.root === root && sharesFiles(other.format, format)))
        found.push({ format, root });
  }
  return found.toSorted((one, other) => (one.root < other.root ? -1 : 1));
}

/** True when some tool would read the file, whichever folder above it is the listing's. */
export function isOwned(path: string): boolean {
  if (!/\.(?:txt|json)$/.test(path)) return false;
  const parts = path.split('/');
  return parts.some((_part, at) => {
    const root = parts.slice(0, at).join('/');
    return formats.some((format) => format.owns(root, path));
  });
}

/** F-Droid reads the folders of supply too. */
const rootsOfFDroid = (format: Format, paths: readonly string[]): string[] => [
  ...new Set([...format.findRoots(paths), ...supply.findRoots(paths)]),
];

const textFormats: readonly FormatName[] = ['deliver', 'supply', 'f-droid'];
const sharesFiles = (one: Format, other: Format): boolean =>
  textFormats.includes(one.name) && textFormats.includes(other.name);
