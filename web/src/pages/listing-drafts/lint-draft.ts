import type { DraftField } from '#contract/choices.ts';
import type { FieldText, FormatName, LocaleTexts } from '#listing-files/listing.ts';
import type { Finding } from '#listing-lint/finding.ts';
import { lintListing } from '#listing-lint/lint-listing.ts';
import type { Store } from '#web/api.ts';
import type { LiveListing } from '#web/queries/listing-drafts.ts';
import type { DraftState } from './draft-state.ts';
import { findLive } from './find-live.ts';

/** The tool whose rules count the texts of a store as they are written. */
const tools: readonly { store: Store; format: FormatName }[] = [
  { store: 'ios', format: 'deliver' },
  { store: 'android', format: 'supply' },
];
export const toolOf = (store: Store): FormatName =>
  tools.find((tool) => tool.store === store)?.format ?? 'supply';

const config = { developer: '', allow: [], locales: [], rules: {}, ignore: [] };

const textOf = (value: string, isInherited: boolean): FieldText => ({
  value,
  raw: value,
  file: '',
  line: 1,
  isInherited,
});

/**
 * The findings of `toprung lint` in a draft. A text that is not drafted is the live one: others are
 * compared with it, and it is not checked itself. An emptied one is missing.
 */
export function lintDraft(
  store: Store,
  state: DraftState,
  live: readonly LiveListing[],
): Finding[] {
  const locales = new Map(
    Object.entries(state).map(([locale, texts]): [string, LocaleTexts] => {
      const shown = findLive(live, locale)?.texts ?? {};
      const inherited = Object.entries(shown).map(([field, text]) => [field, textOf(text, true)]);
      const own = Object.entries(texts).flatMap(([field, text]) =>
        text ? [[field, textOf(text, false)]] : [],
      );
      const isKept = ([field]: readonly unknown[]) => texts[field as DraftField] !== '';
      return [locale, Object.fromEntries([...inherited.filter(isKept), ...own]) as LocaleTexts];
    }),
  );
  return lintListing({ format: toolOf(store), store, root: '', locales, faults: [] }, config);
}
