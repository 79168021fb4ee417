import { countLines } from '../line-at.ts';
import { memberOf, parseJsonText, setMember, type JsonNode } from '../json-text.ts';
import {
  below,
  type Edit,
  type Fault,
  type FileChange,
  type FolderTexts,
  type Format,
  type Listing,
  type ListingField,
  type LocaleTexts,
} from '../listing.ts';

const keys: Readonly<Record<string, ListingField>> = {
  title: 'title',
  subtitle: 'subtitle',
  keywords: 'keywordField',
  promoText: 'promotionalText',
  description: 'description',
  releaseNotes: 'whatsNew',
  supportUrl: 'supportUrl',
  marketingUrl: 'marketingUrl',
  privacyPolicyUrl: 'privacyUrl',
  privacyChoicesUrl: 'privacyChoicesUrl',
  privacyPolicyText: 'privacyText',
};
const keyOf = new Map(Object.entries(keys).map(([key, field]) => [field, key]));
const fileName = 'store.config.json';

/** Expo EAS. Only `apple.info` of the file is read: `review` has a demo password. */
export const eas: Format = {
  name: 'eas',
  store: 'ios',
  fields: Object.values(keys),
  empties: 'sent',
  findRoots: (paths) =>
    paths
      .filter((path) => path === fileName || path.endsWith(`/${fileName}`))
      .map((path) => path.slice(0, -fileName.length).replace(/\/$/, ''))
      .sort(),
  owns: (root, path) => path === below(root, fileName),
  read,
  change,
};

function read(root: string, texts: FolderTexts): Listing {
  const file = below(root, fileName);
  const source = texts.get(file) ?? '{}';
  const locales = new Map<string, LocaleTexts>();
  const faults: Fault[] = [];
  const info = memberOf(memberOf(parseFile(file, source, faults), 'apple'), 'info');
  for (const { key: locale, value: node } of info?.kind === 'object' ? info.members : []) {
    const local: LocaleTexts = {};
    locales.set(locale, local);
    for (const { key, value } of node.kind === 'object' ? node.members : []) {
      if (!Object.hasOwn(keys, key)) continue;
      const text = readText(key, value);
      if (text === null) faults.push({ file, message: `"${key}" of ${locale} has another type` });
      else
        local[keys[key]!] = {
          value: text,
          raw: text,
          file,
          line: countLines(source, value.start),
          isInherited: false,
        };
    }
  }
  return { format: 'eas', store: 'ios', root, locales, faults };
}

/** EAS joins the array of keywords with commas. */
function readText(key: string, node: JsonNode): string | null {
  if (key !== 'keywords') return node.kind === 'string' ? node.value : null;
  if (node.kind !== 'array') return null;
  const words = node.items.flatMap((item) => (item.kind === 'string' ? [item.value] : []));
  return words.length === node.items.length ? words.join(',') : null;
}

function parseFile(file: string, source: string, faults: Fault[]): JsonNode | undefined {
  try {
    return parseJsonText(source);
  } catch (error) {
    faults.push({ file, message: `This is not JSON: ${(error as Error).message}` });
    return undefined;
  }
}

function change(listing: Listing, texts: FolderTexts, edits: readonly Edit[]): FileChange[] {
  const file = below(listing.root, fileName);
  const before = texts.get(file) ?? '{"configVersion":0}';
  const after = edits.reduce((source, { locale, field, value }) => {
    const key = keyOf.get(field);
    const known = listing.locales.get(locale)?.[field];
    if (key === undefined || (known?.value ?? null) === value) return source;
    return setAt(source, ['apple', 'info', locale, key], value === null ? null : write(key, value));
  }, before);
  return after === before ? [] : [{ file, text: after }];
}

function write(key: string, value: string): string {
  if (key !== 'keywords') return JSON.stringify(value);
  if (value === '') return '[]';
  return `[${value
    .split(',')
    .map((word) => JSON.stringify(word.trim()))
    .join(', ')}]`;
}

/** Sets the value at a path, and makes the objects above it that are missing. */
function setAt(source: string, path: readonly string[], json: string | null): string {
  let node = parseFile('', source, []);
  for (const [depth, key] of path.entries()) {
    if (node?.kind !== 'object') return source;
    const next: JsonNode | undefined = memberOf(node, key);
    const isLast = depth === path.length - 1;
    if (isLast || !next) {
      if (json === null && !next) return source;
      const rest = path
        .slice(depth + 1)
        .reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, json ?? '');
      return setMember(source, node, key, json === null ? null : rest);
    }
    node = next;
  }
  return source;
}
