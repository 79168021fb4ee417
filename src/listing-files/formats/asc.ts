import { createLineCounter } from '../line-counter.ts';
import { parseJsonText, setMembers, type JsonNode } from '../json-text.ts';
import {
  addFault,
  below,
  partsBelow,
  type Edit,
  type Fault,
  type FileChange,
  type FolderTexts,
  type Format,
  type Listing,
  type ListingField,
  type LocaleTexts,
} from '../listing.ts';
import { readLocale } from '../locales.ts';
import { strip, withoutDefault } from './text-files.ts';

type Level = 'app-info' | 'version';

const keys: Readonly<Record<Level, Readonly<Record<string, ListingField>>>> = {
  'app-info': {
    name: 'title',
    subtitle: 'subtitle',
    privacyPolicyUrl: 'privacyUrl',
    privacyChoicesUrl: 'privacyChoicesUrl',
    privacyPolicyText: 'privacyText',
  },
  version: {
    description: 'description',
    keywords: 'keywordField',
    marketingUrl: 'marketingUrl',
    promotionalText: 'promotionalText',
    supportUrl: 'supportUrl',
    whatsNew: 'whatsNew',
  },
};
const levels = Object.keys(keys) as Level[];
const keyOf = new Map(
  levels.flatMap((level) =>
    Object.entries(keys[level]).map(([key, field]) => [field, { level, key }] as const),
  ),
);

interface AscFile {
  level: Level;
  /** The folder as it is spelled: older documents say `versions`. */
  folder: string;
  locale: string;
  /** '' for the texts of the app. */
  version: string;
}

/** `asc` of rorkai: JSON files for the app and for each version. The newest version is read. */
export const asc: Format = {
  name: 'asc',
  store: 'ios',
  fields: [...keyOf.keys()],
  // It refuses an empty text, and a missing one changes nothing.
  empties: 'never',
  findRoots: (paths) => {
    const roots = paths.flatMap((path) => {
      const parts = path.split('/');
      return [2, 3].flatMap((depth) => {
        const at = parts.length - depth;
        const file = at < 0 ? null : parse(parts.slice(at));
        return file && readLocale(asc.store, file.locale) !== null
          ? [parts.slice(0, at).join('/')]
          : [];
      });
    });
    return [...new Set(roots)].sort();
  },
  owns: (root, path) => fileAt(root, path) !== null,
  read,
  send: (_field, text) => strip(text) || null,
  change,
};

function parse(parts: readonly string[]): AscFile | null {
  const locale = /^([A-Za-z0-9_-]{2,35})\.json$/.exec(parts.at(-1) ?? '')?.[1];
  const [folder = '', version = ''] = parts;
  if (locale === undefined) return null;
  if (parts.length === 2 && folder === 'app-info')
    return { level: 'app-info', folder, locale, version: '' };
  return parts.length === 3 && (folder === 'version' || folder === 'versions')
    ? { level: 'version', folder, locale, version }
    : null;
}

function fileAt(root: string, path: string): AscFile | null {
  const parts = partsBelow(root, path);
  return parts && parse(parts);
}

function read(root: string, texts: FolderTexts): Listing {
  const files = [...texts].flatMap(([path, text]) => {
    const file = fileAt(root, path);
    return file ? [{ ...file, path, text }] : [];
  });
  const newest = files.map(({ version }) => version).reduce(newerOf, '');
  const locales = new Map<string, LocaleTexts>();
  const faults: Fault[] = [];
  const used = files.filter(({ level, version }) => level === 'app-info' || version === newest);
  for (const { level, locale, path, text, version } of used) {
    const local = locales.get(locale) ?? {};
    locales.set(locale, local);
    const lineOf = createLineCounter(text);
    for (const [key, node] of readMembers(path, text, level, faults)) {
      const value = strip(node.value);
      if (value === '') {
        const message = `"${key}" is empty, which asc refuses: remove the key`;
        addFault(faults, { file: path, message });
        continue;
      }
      local[keys[level][key]!] = {
        value,
        raw: node.value,
        file: path,
        line: lineOf(node.start),
        isInherited: false,
        ...(version !== '' && { release: version }),
      };
    }
  }
  // The texts of `default` are for locales of the store without a file.
  return { format: 'asc', store: 'ios', root, ...withoutDefault(locales), faults };
}

function readMembers(
  file: string,
  text: string,
  level: Level,
  faults: Fault[],
): [string, JsonNode & { kind: 'string' }][] {
  const node = parseFile(file, text, faults);
  if (node?.kind !== 'object') return [];
  return node.members.flatMap(({ key, value }): [string, JsonNode & { kind: 'string' }][] => {
    if (!Object.hasOwn(keys[level], key))
      addFault(faults, {
        file,
        message: `asc does not know the key "${key.slice(0, 60)}": remove it`,
      });
    else if (value.kind === 'string') return [[key, value]];
    else addFault(faults, { file, message: `"${key}" must be a text: write it in double quotes` });
    return [];
  });
}

function parseFile(file: string, text: string, faults: Fault[]): JsonNode | null {
  try {
    const node = parseJsonText(text);
    if (node.kind !== 'object')
      addFault(faults, { file, message: 'The file must be a JSON object' });
    return node;
  } catch (error) {
    addFault(faults, { file, message: `This is not JSON: ${(error as Error).message}` });
    return null;
  }
}

/** `1.10` is newer than `1.9`. */
function newerOf(one: string, other: string): string {
  const [left, right] = [one.split('.'), other.split('.')];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = Number(left[at] ?? 0) - Number(right[at] ?? 0);
    if (Number.isNaN(difference)) return one > other ? one : other;
    if (difference !== 0) return difference > 0 ? one : other;
  }
  return one.length >= other.length ? one : other;
}

function change(listing: Listing, texts: FolderTexts, edits: readonly Edit[]): FileChange[] {
  const files = [...texts.keys()].map((path) => fileAt(listing.root, path));
  const version = files.map((file) => file?.version ?? '').reduce(newerOf, '') || '1.0';
  const folder = files.find((file) => file?.level === 'version')?.folder ?? 'version';
  const changes = new Map<string, Map<string, string | null>>();
  for (const { locale, field, value } of edits) {
    const own = keyOf.get(field);
    const known = listing.locales.get(locale)?.[field];
    if (!own || (known?.value ?? null) === value) continue;
    const fresh =
      own.level === 'app-info' ? `app-info/${locale}.json` : `${folder}/${version}/${locale}.json`;
    const file = known?.file ?? below(listing.root, fresh);
    const ofFile = changes.get(file) ?? new Map<string, string | null>();
    changes.set(file, ofFile);
    ofFile.set(own.key, value === null ? null : JSON.stringify(value));
  }
  return [...changes].flatMap(([file, ofFile]) => {
    const before = texts.get(file) ?? '{}';
    const node = parseFile(file, before, []);
    if (node?.kind !== 'object') return [];
    const text = setMembers(before, node, ofFile);
    // asc leaves out a locale without texts.
    return [{ file, text: memberCount(text) === 0 ? null : text }];
  });
}

function memberCount(text: string): number {
  const node = parseJsonText(text);
  return node.kind === 'object' ? node.members.length : 0;
}
