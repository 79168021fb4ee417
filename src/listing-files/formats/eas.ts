import { createLineCounter } from '../line-counter.ts';
import { memberOf, parseJsonText, setMembers, type JsonNode } from '../json-text.ts';
import {
  addFault,
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
  send: (field, text) => (field === 'keywordField' ? splitWords(text).join(',') : text),
  change,
};

function read(root: string, texts: FolderTexts): Listing {
  const file = below(root, fileName);
  const source = texts.get(file) ?? '{}';
  const locales = new Map<string, LocaleTexts>();
  const faults: Fault[] = [];
  const lineOf = createLineCounter(source);
  const info = memberOf(memberOf(parseFile(file, source, faults), 'apple'), 'info');
  for (const { key: locale, value: node } of info?.kind === 'object' ? info.members : []) {
    const local: LocaleTexts = {};
    locales.set(locale, local);
    for (const { key, value } of node.kind === 'object' ? node.members : []) {
      if (!Object.hasOwn(keys, key)) continue;
      const text = readText(key, value);
      if (text === null)
        addFault(faults, {
          file,
          message: `"${key}" of ${locale.slice(0, 60)} has another type`,
        });
      else
        local[keys[key]!] = {
          value: text,
          raw: text,
          file,
          line: lineOf(value.start),
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
    addFault(faults, { file, message: `This is not JSON: ${(error as Error).message}` });
    return undefined;
  }
}

function change(listing: Listing, texts: FolderTexts, edits: readonly Edit[]): FileChange[] {
  const file = below(listing.root, fileName);
  const before = texts.get(file) ?? '{"configVersion":0}';
  const node = parseFile('', before, []);
  if (node?.kind !== 'object') return [];
  const byLocale = new Map<string, Map<string, string | null>>();
  for (const { locale, field, value } of edits) {
    const key = keyOf.get(field);
    const known = listing.locales.get(locale)?.[field];
    if (key === undefined || (known?.value ?? null) === value) continue;
    const changes = byLocale.get(locale) ?? new Map<string, string | null>();
    byLocale.set(locale, changes);
    changes.set(key, value === null ? null : write(key, value));
  }
  const after = setMembers(before, node, new Map([['apple', new Map([['info', byLocale]])]]));
  return after === before ? [] : [{ file, text: after }];
}

function write(key: string, value: string): string {
  return key === 'keywords'
    ? `[${splitWords(value)
        .map((word) => JSON.stringify(word))
        .join(', ')}]`
    : JSON.stringify(value);
}

const splitWords = (value: string): string[] =>
  value.trim() === '' ? [] : value.split(',').map((word) => word.trim());
