import { createLineCounter } from '../line-counter.ts';
import { readLocale } from '../locales.ts';
import {
  below,
  isEarlier,
  partsBelow,
  type Edit,
  type FieldText,
  type FileChange,
  type FolderTexts,
  type Format,
  type Listing,
  type ListingField,
  type LocaleTexts,
} from '../listing.ts';

/** A file of a locale, by the parts of its path below the root of the listing. */
export interface LocalFile {
  locale: string;
  field: ListingField;
  /** Set for release notes: the version code or the track. */
  release?: string;
}

/** A tool that has one file for each text. */
export interface TextFileTool {
  name: Format['name'];
  store: Format['store'];
  fields: readonly ListingField[];
  empties: Format['empties'];
  /** Null for a file that is no text of a locale. */
  parse: (parts: readonly string[]) => LocalFile | null;
  /** The number of parts below the root, by which a root is found. */
  depths: readonly number[];
  /** True when the root of these files belongs to the tool and not to one with similar names. */
  recognizes: (files: readonly { file: LocalFile; name: string }[], root: string) => boolean;
  /** The path below the root of a text that has no file yet. */
  pathOf: (file: LocalFile) => string;
  /** The text that the tool sends; null when it sends none. */
  send: (raw: string) => string | null;
  /** Added to a text in a new file. */
  newFileEnd: string;
  /** Releases, the one that is sent first. */
  compareReleases: (one: string, other: string) => number;
  /** Releases are versions, of which one follows another; else they are tracks, or none. */
  hasVersions: boolean;
  /** The release of new notes in a folder without notes. */
  firstRelease: string;
  /** The locale whose texts are used where another has none; null for tools without one. */
  defaultLocale: (root: string, texts: FolderTexts) => string | null;
  /** Other files of the listing that `defaultLocale` reads. */
  settings: readonly string[];
}

/** The white space that these tools trim: not the no-break space, nor a byte order mark. */
const outerSpace = '\t\n\v\f\r \0';

/** Loops, because an expression for the end takes quadratic time. */
export function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && outerSpace.includes(text[start]!)) start += 1;
  while (end > start && outerSpace.includes(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}

export function textFileFormat(tool: TextFileTool): Format {
  return {
    name: tool.name,
    store: tool.store,
    fields: tool.fields,
    empties: tool.empties,
    findRoots: (paths) => findRoots(tool, paths),
    owns: (root, path) => {
      const parts = partsBelow(root, path);
      return (
        parts !== null && (tool.settings.includes(parts.join('/')) || tool.parse(parts) !== null)
      );
    },
    read: (root, texts) => read(tool, root, texts),
    send: (_field, text) => tool.send(text),
    change: (listing, texts, edits) => change(tool, listing, texts, edits),
  };
}

/** A root has a locale of the store, so that no other folder of texts is taken for one. */
function findRoots(tool: TextFileTool, paths: readonly string[]): string[] {
  const byRoot = new Map<string, { file: LocalFile; name: string }[]>();
  for (const path of paths) {
    const parts = path.split('/');
    for (const depth of tool.depths) {
      const at = parts.length - depth;
      const file = at < 0 ? null : tool.parse(parts.slice(at));
      if (file === null) continue;
      const root = parts.slice(0, at).join('/');
      const files = byRoot.get(root) ?? [];
      byRoot.set(root, files);
      files.push({ file, name: parts.at(-1)! });
    }
  }
  return [...byRoot]
    .filter(([, files]) => files.some(({ file }) => readLocale(tool.store, file.locale) !== null))
    .filter(([root, files]) => tool.recognizes(files, root))
    .map(([root]) => root)
    .sort();
}

function read(tool: TextFileTool, root: string, texts: FolderTexts): Listing {
  const locales = new Map<string, LocaleTexts>();
  for (const [path, raw] of [...texts].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const parts = partsBelow(root, path);
    const file = parts && tool.parse(parts);
    if (!file) continue;
    const local = locales.get(file.locale) ?? {};
    locales.set(file.locale, local);
    const sent = tool.send(raw);
    // Empty notes are those of their release, and not the notes of another one.
    if (sent === null && file.release === undefined) continue;
    const value = sent ?? '';
    const line = createLineCounter(raw)(raw.indexOf(value));
    local[file.field] = newest(
      tool,
      { value, raw, file: path, line, ...of(file) },
      local[file.field],
    );
  }
  const defaultLocale = tool.defaultLocale(root, texts);
  inherit(locales, defaultLocale);
  return {
    format: tool.name,
    store: tool.store,
    root,
    ...(defaultLocale === 'default' ? withoutDefault(locales) : { locales }),
    newestRelease: tool.hasVersions ? latestRelease(tool, locales) : undefined,
    faults: [],
  };
}

const of = ({ release }: LocalFile): Pick<FieldText, 'isInherited' | 'release'> => ({
  isInherited: false,
  ...(release !== undefined && { release }),
});

/** The locales of the store, and apart from them the texts of `default`, which is none. */
export function withoutDefault(
  locales: ReadonlyMap<string, LocaleTexts>,
): Pick<Listing, 'locales' | 'defaults'> {
  const others = new Map(locales);
  const defaults = others.get('default');
  others.delete('default');
  return { locales: others, ...(defaults && { defaults }) };
}

/** Release notes are those of the newest release, with those of the release before. */
function newest(tool: TextFileTool, text: FieldText, known: FieldText | undefined): FieldText {
  if (!known) return text;
  if (text.release === undefined || known.release === undefined) return known;
  const [first, second] =
    tool.compareReleases(text.release, known.release) < 0 ? [text, known] : [known, text];
  if (!tool.hasVersions) return first;
  const { before } = first;
  const isNext = !before || tool.compareReleases(second.release!, before.release) < 0;
  const hasDefault = second.release === 'default' || second.hasDefault || first.hasDefault;
  return {
    ...first,
    ...(isNext && { before: { release: second.release!, value: second.value } }),
    ...(hasDefault && { hasDefault }),
  };
}

function inherit(locales: Map<string, LocaleTexts>, from: string | null): void {
  const defaults = from === null ? undefined : locales.get(from);
  if (!defaults) return;
  for (const [locale, texts] of locales) {
    if (locale === from) continue;
    for (const [field, text] of Object.entries(defaults) as [ListingField, FieldText][])
      if (!texts[field]?.value) texts[field] = { ...text, isInherited: true };
  }
}

function change(
  tool: TextFileTool,
  listing: Listing,
  texts: FolderTexts,
  edits: readonly Edit[],
): FileChange[] {
  // New notes belong to the release that is sent first.
  const release = latestRelease(tool, listing.locales) ?? tool.firstRelease;
  return edits.flatMap(({ locale, field, value }): FileChange[] => {
    if (!tool.fields.includes(field)) return [];
    const known = listing.locales.get(locale)?.[field];
    const isOther = known && (known.isInherited || isEarlier(known, listing.newestRelease));
    const own = isOther ? undefined : known;
    if (((known?.isInherited ? known : own)?.value ?? null) === value) return [];
    const path =
      own?.file ??
      below(listing.root, tool.pathOf({ locale, field, ...(field === 'whatsNew' && { release }) }));
    if (value !== null) return [{ file: path, text: encode(tool, value, texts.get(path)) }];
    // Without their file the notes of another release would be sent instead.
    return own ? [{ file: path, text: own.release === undefined ? null : '' }] : [];
  });
}

/** The release that is sent first of those that locales have notes of. */
function latestRelease(tool: TextFileTool, locales: Listing['locales']): string | undefined {
  const releases = [...locales.values()].flatMap(({ whatsNew }) => whatsNew?.release ?? []);
  return releases.toSorted(tool.compareReleases)[0];
}

/** A file keeps its line ends and the space around its text, where the tool ignores them. */
function encode(tool: TextFileTool, value: string, before: string | undefined): string {
  if (before === undefined) return value + tool.newFileEnd;
  const body = strip(before);
  const at = before.indexOf(body);
  const around = (text: string) =>
    body === '' ? text + before : before.slice(0, at) + text + before.slice(at + body.length);
  const forms = [around(value.replace(/\r?\n/g, '\r\n')), around(value), value];
  return (
    forms.slice(before.includes('\r\n') ? 0 : 1).find((form) => tool.send(form) === value) ?? value
  );
}
