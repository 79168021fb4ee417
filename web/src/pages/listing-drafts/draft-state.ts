import type { DraftField } from '#contract/choices.ts';
import { readLocale } from '#listing-files/locales.ts';
import { listingTexts, profileOf } from '#stores/profiles.ts';
import type { Store } from '#web/api.ts';
import type { DraftWithTexts, LiveListing } from '#web/queries/listing-drafts.ts';

export const fieldGroups = {
  search: ['title', 'subtitle', 'summary', 'keywordField'],
  page: ['promotionalText', 'description', 'whatsNew'],
} as const satisfies Record<string, readonly DraftField[]>;
const fields: readonly DraftField[] = [...fieldGroups.search, ...fieldGroups.page];

export type Texts = Partial<Record<DraftField, string | undefined>>;
/** By locale. A locale without texts was added and has not been written yet. */
export type DraftState = Readonly<Record<string, Texts>>;

export const stateOf = (draft: DraftWithTexts): DraftState =>
  Object.fromEntries(draft.texts.map(({ locale, texts }) => [locale, texts]));

/**
 * The live texts under the locales of the store. One that is only a language, because the store's
 * requests name no more, becomes that of the language's own region: `en` becomes `en-US`.
 */
export function stateOfLive(store: Store, live: readonly LiveListing[]): DraftState {
  const localeOf = ({ locale }: LiveListing) =>
    readLocale(store, locale) ??
    readLocale(store, `${locale}-${new Intl.Locale(locale).maximize().region}`) ??
    locale;
  // The first listing of a locale counts.
  return Object.fromEntries(live.toReversed().map((one) => [localeOf(one), one.texts]));
}

const hasTexts = (texts: Texts): boolean => Object.values(texts).some((text) => text !== undefined);

/** The server keeps the locales with texts only: an added one is not a change to save. */
export function splitState(state: DraftState): { written: DraftState; empty: DraftState } {
  const pick = (isWritten: boolean) =>
    Object.fromEntries(Object.entries(state).filter(([, texts]) => hasTexts(texts) === isWritten));
  return { written: pick(true), empty: pick(false) };
}

/** Equal states have equal texts. An empty text empties that of the store. */
export const writeState = (state: DraftState): string =>
  JSON.stringify(
    Object.keys(state)
      .toSorted()
      .map((locale) => [
        locale,
        Object.fromEntries(
          fields.flatMap((field) =>
            state[locale]![field] === undefined ? [] : [[field, state[locale]![field]]],
          ),
        ),
      ]),
  );

export const readState = (text: string): DraftState =>
  Object.fromEntries(JSON.parse(text) as [string, Texts][]);

/** One member for each text, so that changes of two people are merged text by text. */
export type FlatState = Readonly<Record<string, string | undefined>>;

export const flatten = (state: DraftState): FlatState =>
  Object.fromEntries(
    Object.entries(state).flatMap(([locale, texts]) =>
      fields.flatMap((field) =>
        texts[field] === undefined ? [] : [[`${locale} ${field}`, texts[field]]],
      ),
    ),
  );

export function splitName(name: string): { locale: string; field: DraftField } {
  const [locale = '', field] = name.split(' ');
  return { locale, field: field as DraftField };
}

/** The locales of the changed texts, each with all of its texts; without any it is removed. */
export function listChangedLocales(flat: FlatState, changed: readonly string[]) {
  const locales = new Set(changed.map((name) => splitName(name).locale));
  return [...locales].map((locale) => ({
    locale,
    texts: Object.fromEntries(
      fields.flatMap((field) => {
        const text = flat[`${locale} ${field}`];
        return text === undefined ? [] : [[field, text]];
      }),
    ) as Texts,
  }));
}

/** Every store requires the others. */
const canBeEmpty: readonly DraftField[] = [
  'subtitle',
  'keywordField',
  'promotionalText',
  'whatsNew',
];

/** Whether the store has a text that a draft can empty; no store shows the last two. */
export const isEmptiable = (field: DraftField, live: string | undefined): boolean =>
  canBeEmpty.includes(field) &&
  (Boolean(live) || field === 'keywordField' || field === 'promotionalText');

/** The texts by which the store finds an app. */
export const listSearched = (store: Store) =>
  listingTexts.filter((name) => profileOf(store).texts[name]?.isSearched);
