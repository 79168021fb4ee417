import { listingTools } from '#contract/choices.ts';
import type { StoreName } from '#stores/profiles.ts';

/** The tools whose folders are read and written. */
export const formatNames = listingTools;
export type FormatName = (typeof formatNames)[number];

/** The texts of one locale, in the order in which they are shown. */
export const listingFields = [
  'title',
  'subtitle',
  'summary',
  'keywordField',
  'promotionalText',
  'description',
  'whatsNew',
  'supportUrl',
  'marketingUrl',
  'privacyUrl',
  'privacyChoicesUrl',
  'privacyText',
  'video',
] as const;
export type ListingField = (typeof listingFields)[number];

export interface FieldText {
  /** The text as the tool sends it to the store. */
  value: string;
  /** The text as it is in the file; of JSON the decoded value. */
  raw: string;
  /** The path from the folder that was read, with `/`. */
  file: string;
  /** The line where the text begins, from 1. */
  line: number;
  /** It is not of this locale: the tool takes it from the default locale. */
  isInherited: boolean;
  /** Release notes belong to this version code, track or version. */
  release?: string;
  /** The release notes of the release before; tracks have none. */
  before?: { release: string; value: string };
  /** The locale also has release notes for every version without its own. */
  hasDefault?: boolean;
}

export type LocaleTexts = Partial<Record<ListingField, FieldText>>;

/** A file that the tool, or Toprung, cannot use as it is. */
export interface Fault {
  file: string;
  /** One sentence that says what to do. */
  message: string;
}

/** A person corrects some and reads the rest again. */
export const maxFaults = 100;

export function addFault(faults: Fault[], fault: Fault): void {
  if (faults.length < maxFaults) faults.push(fault);
}

export interface Listing {
  format: FormatName;
  store: StoreName;
  /** The path from the folder that was read to that of the listing; '' when it is the same. */
  root: string;
  /** By the name of the locale in the folder. A locale without texts may be there. */
  locales: ReadonlyMap<string, LocaleTexts>;
  /** The texts of a folder or file `default`, which is no locale and fills others. */
  defaults?: LocaleTexts;
  /** The newest version with release notes; missing where they are of tracks or of one version. */
  newestRelease?: string | undefined;
  faults: readonly Fault[];
}

/** Release notes of an earlier version than the newest one, which the tool does not send for it. */
export const isEarlier = (
  { release }: Pick<FieldText, 'release'>,
  newest: string | undefined,
): boolean =>
  release !== undefined && newest !== undefined && release !== newest && release !== 'default';

/** Texts by their path from the folder that was read. */
export type FolderTexts = ReadonlyMap<string, string>;

/** A change of one text; null removes it. */
export interface Edit {
  locale: string;
  field: ListingField;
  value: string | null;
}

/** The new text of a file; null deletes it. */
export interface FileChange {
  file: string;
  text: string | null;
}

export interface Format {
  name: FormatName;
  store: StoreName;
  /** The fields that the tool has files or keys for. */
  fields: readonly ListingField[];
  /**
   * How the tool empties a text of the store: it sends an empty one, it sends nothing because a
   * missing text is an empty one, or not at all.
   */
  empties: 'sent' | 'missing' | 'never';
  /** The folders of listings among the paths, as paths; '' is the folder itself. */
  findRoots: (paths: readonly string[]) => string[];
  /** True for a file that `read` needs. No other file is opened. */
  owns: (root: string, path: string) => boolean;
  read: (root: string, texts: FolderTexts) => Listing;
  /** The text that the tool sends of a text once it is written; null when it sends none. */
  send: (field: ListingField, text: string) => string | null;
  /** The changed files. A text that equals the one that was read changes no file. */
  change: (listing: Listing, texts: FolderTexts, edits: readonly Edit[]) => FileChange[];
}

/** The path below a root. */
export const below = (root: string, path: string): string =>
  root === '' ? path : `${root}/${path}`;

/** The parts of a path below a root; null when it is outside. */
export function partsBelow(root: string, path: string): string[] | null {
  if (root === '') return path.split('/');
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1).split('/') : null;
}
