import { draftFields, type DraftField } from '#contract/choices.ts';
import { formatOf } from './formats.ts';
import { isEarlier, type Edit, type Listing, type LocaleTexts } from './listing.ts';
import { readLocale } from './locales.ts';

export type DraftTexts = Partial<Record<DraftField, string | undefined>>;
/** By locale, in the store's spelling. */
export type DraftLocales = ReadonlyMap<string, DraftTexts>;

export interface Difference {
  locale: string;
  field: DraftField;
  /** Null where there is none. */
  folder: string | null;
  draft: string | null;
}

/** The fields that drafts and the folder's tool both have. */
function sharedFields({ format }: Listing): DraftField[] {
  const { fields } = formatOf(format);
  return draftFields.filter((field) => fields.includes(field));
}

/**
 * Texts that a locale has from a default locale, or from an earlier version, are not its own, so
 * they are left out.
 */
function ownText(
  { format, newestRelease }: Listing,
  texts: LocaleTexts | undefined,
  field: DraftField,
): string | null {
  const text = texts?.[field];
  if (!text || text.isInherited || isEarlier(text, newestRelease)) return null;
  return text.value === '' ? formatOf(format).send(field, '') : text.value;
}

/** The text as it comes back from the folder once it is written; null when none does. */
function sentText({ format }: Listing, field: DraftField, drafted: string | null): string | null {
  return drafted === null ? null : formatOf(format).send(field, drafted);
}

const localeOf = (listing: Listing, name: string): string =>
  readLocale(listing.store, name) ?? name;

/**
 * Every text in which a folder and a draft differ, compared as the tool sends them. A draft that
 * repeats an inherited text differs in nothing.
 */
export function findDifferences(listing: Listing, draft: DraftLocales): Difference[] {
  const folders = new Map(
    [...listing.locales].map(([name, texts]) => [localeOf(listing, name), texts]),
  );
  const locales = [...new Set([...folders.keys(), ...draft.keys()])].sort();
  return locales.flatMap((locale) =>
    sharedFields(listing).flatMap((field) => {
      const texts = folders.get(locale);
      const folder = ownText(listing, texts, field);
      const drafted = draft.get(locale)?.[field] ?? null;
      const sent = sentText(listing, field, drafted);
      const { isInherited: hasInherited, value } = texts?.[field] ?? {};
      const isInherited = hasInherited === true && sent !== null && sent === value;
      const isSame = folder === drafted || folder === sent || isInherited;
      return isSame ? [] : [{ locale, field, folder, draft: drafted }];
    }),
  );
}

/**
 * The edits that bring the texts of a draft into the folder. A text that the draft does not have
 * stays as it is, and a locale keeps the spelling of its folder. An emptied text is removed where
 * the tool sends no empty one.
 */
export function planPull(listing: Listing, draft: DraftLocales): Edit[] {
  const names = new Map([...listing.locales.keys()].map((name) => [localeOf(listing, name), name]));
  return findDifferences(listing, draft)
    .filter((difference) => difference.draft !== null)
    .map(({ locale, field, draft: drafted }) => ({
      locale: names.get(locale) ?? locale,
      field,
      value: sentText(listing, field, drafted),
    }));
}

/** Texts that the draft empties and the folder's tool cannot: the store keeps its own. */
export function listNotEmptied(
  listing: Listing,
  draft: DraftLocales,
): { locale: string; field: DraftField }[] {
  if (formatOf(listing.format).empties !== 'never') return [];
  return [...draft].flatMap(([locale, texts]) =>
    sharedFields(listing)
      .filter((field) => texts[field] !== undefined && !sentText(listing, field, texts[field]))
      .map((field) => ({ locale, field })),
  );
}

/**
 * The texts to save for each locale of the folder that differs. Fields that the tool has no file
 * for keep the text of the draft; locales that only the draft has stay in it.
 */
export function planPush(
  listing: Listing,
  draft: DraftLocales,
): { locale: string; texts: DraftTexts }[] {
  const there = new Set([...listing.locales.keys()].map((name) => localeOf(listing, name)));
  const byLocale = Map.groupBy(
    findDifferences(listing, draft).filter(({ locale }) => there.has(locale)),
    ({ locale }) => locale,
  );
  return [...byLocale].map(([locale, differences]) => {
    const texts: DraftTexts = { ...draft.get(locale) };
    for (const { field, folder } of differences) {
      if (folder === null) delete texts[field];
      else texts[field] = folder;
    }
    return { locale, texts };
  });
}
