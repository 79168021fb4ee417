import { countCharacters, isStorable } from '#lib/text.ts';
import type { ImportTable } from './parse-import-table.ts';
import { findCountryError, findPhraseError, type Fault } from '#domain/base/text/phrase.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import {
  defaultDepth,
  findDeviceError,
  refuse,
  unstorable,
  type RequestedKeyword,
} from './parse-keywords.ts';

const maxTags = 20;
const maxTagCharacters = 40;

export const importColumns = ['phrase', 'country', 'device', 'depth', 'tags'] as const;
/** Which column holds which field. */
export type ColumnNames = Partial<Record<(typeof importColumns)[number], string>>;

/** Defaults for rows without a value. The tags are added to every row. */
interface Defaults {
  country?: string | undefined;
  device?: string | undefined;
  /** The devices of the app's store, the default first. */
  devices: readonly string[];
  depth?: number | undefined;
  tags?: string[] | undefined;
}

/**
 * Parses each row as a keyword, in order, duplicates included; one error for each broken rule
 * rejects all rows. Rows count from 1.
 */
export function parseImportRows(
  table: ImportTable,
  names: ColumnNames,
  defaults: Defaults,
): RequestedKeyword[] {
  const faults: Fault[] = [];
  const requested = table.rows.map((cells, index) => {
    const read = (name: keyof ColumnNames): unknown => {
      const value = names[name] === undefined ? null : (cells.get(names[name]) ?? null);
      return value === '' ? null : value;
    };
    const row = readRow(`rows.${index + 1}`, read, defaults);
    faults.push(...row.faults);
    return row.keyword;
  });
  if (faults.length > 0) refuse(faults);
  return requested;
}

function readRow(
  path: string,
  read: (name: keyof ColumnNames) => unknown,
  defaults: Defaults,
): { keyword: RequestedKeyword; faults: Fault[] } {
  const [phrase, country] = [read('phrase'), read('country') ?? defaults.country];
  const device = readDevice(read('device')) ?? defaults.device;
  const [depth, tags] = [
    readDepth(read('depth') ?? defaults.depth ?? defaultDepth),
    parseTags(read('tags')),
  ];
  const allTags = [...new Set([...(tags ?? []), ...(defaults.tags ?? [])])];
  const keyword = {
    phrase: typeof phrase === 'string' && isStorable(phrase) ? normalisePhrase(phrase) : '',
    country: typeof country === 'string' ? country.trim() : '',
    device: device ?? defaults.devices[0]!,
    depth: depth ?? defaultDepth,
    tags: allTags,
  };
  const faults = [
    typeof phrase !== 'string'
      ? broken(`${path}.phrase`, 'a text')
      : phrase.includes('\ufffd')
        ? broken(
            `${path}.phrase`,
            'no U+FFFD, the mark of a wrong encoding: send the text in UTF-8',
          )
        : findPhraseError(`${path}.phrase`, phrase),
    country === undefined
      ? broken(`${path}.country`, 'a country, here or for all rows')
      : findCountryError(`${path}.country`, keyword.country),
    findDeviceError(`${path}.device`, device, defaults.devices),
    depth === null ? broken(`${path}.depth`, 'a whole number from 1 to 200') : null,
    tags === null
      ? broken(`${path}.tags`, 'texts of at most 40 characters, separated by ; or |')
      : null,
    allTags.length > maxTags
      ? broken(`${path}.tags`, 'tags of a keyword', maxTags, allTags.length)
      : null,
    allTags.every(isStorable) ? null : unstorable(`${path}.tags`),
  ];
  return { keyword, faults: faults.filter((fault) => fault !== null) };
}

/** Other tools write `iPad`. A value that is not a text is no device. */
function readDevice(value: unknown): string | undefined {
  if (value === null) return undefined;
  return typeof value === 'string' ? value.trim().toLowerCase() : JSON.stringify(value);
}

/** Null for an invalid depth. */
function readDepth(value: unknown): number | null {
  const depth =
    typeof value === 'string' && /^[1-9]\d{0,2}$/.test(value.trim()) ? Number(value.trim()) : value;
  return typeof depth === 'number' && Number.isInteger(depth) && depth >= 1 && depth <= 200
    ? depth
    : null;
}

/** Null for invalid tags. */
function parseTags(value: unknown): string[] | null {
  const list: unknown[] =
    value === null
      ? []
      : typeof value === 'string'
        ? value.split(/[;|]/)
        : Array.isArray(value)
          ? value
          : [value];
  if (!list.every((tag) => typeof tag === 'string')) return null;
  const tags = list.map((tag) => tag.trim()).filter((tag) => tag !== '');
  return tags.some((tag) => countCharacters(tag) > maxTagCharacters) ? null : tags;
}

function broken(
  path: string,
  message: string,
  limit: number | null = null,
  actual: number | null = null,
): Fault {
  return { code: 'invalid_request', issue: { path, message, limit, actual } };
}
