import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { languages, type Language } from '#contract/languages.ts';
import type { Noun, Texts } from './texts.ts';
import { isolateText } from './isolate-text.ts';
import { keepOneFullStop } from './one-full-stop.ts';
import { createStored } from './stored.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    keySeparator: false;
    nsSeparator: false;
    defaultNS: 'translation';
    resources: { translation: Texts };
  }
}

export { languages, type Language };

/** Each language in its own name, so that everyone finds theirs. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  ja: '日本語',
};

/**
 * Texts of the frame and of several pages, in one file for each language: the bundle. All other
 * texts are loaded with the pages that use them.
 */
const initialNamespaces: readonly Noun[] = [
  'frame',
  'kit',
  'palette',
  'overview',
  'periods',
  'listing',
  'offline',
  'events',
  'action-titles',
  'action-reasons',
];

const bundles = import.meta.glob<Partial<Texts>>('./text-bundles/*.ts', { import: 'textBundle' });
const files = import.meta.glob<Partial<Texts>>(
  [
    './locales/*/*.json',
    '!./locales/*/{frame,kit,palette,overview,periods,listing,offline,events,action-titles,action-reasons}.json',
  ],
  { import: 'default' },
);
const brought = new Set<Noun>();
const loaded = new Set<string>();

const chosen = createStored<Language | null>(
  'toprung.language',
  (found) => languages.find((language) => language === found) ?? null,
);

/** The chosen language, otherwise the first supported language of the browser. */
function findLanguage(): Language {
  const wished = navigator.languages.map((tag) => tag.split('-')[0]!.toLowerCase());
  return (
    chosen.get() ??
    wished.flatMap((tag) => languages.find((language) => language === tag) ?? [])[0] ??
    'en'
  );
}

/** The library's name of a method; written as a key, it would look like Node's global. */
const postProcess = 'process';

/**
 * Flat keys, one folder per language, one file per noun. Every language is complete, so there is no
 * fallback.
 */
export async function startI18n(): Promise<void> {
  const lng = findLanguage();
  i18next.use({ type: 'postProcessor', name: 'fullStop', [postProcess]: keepOneFullStop });
  await i18next.use(initReactI18next).init({
    lng,
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escape: isolateText },
    postProcess: ['fullStop'],
    resources: {},
  });
  await loadTexts(initialNamespaces);
  document.documentElement.lang = lng;
}

/** Rejects if the texts cannot be loaded; the language then stays the same. */
export async function setLanguage(language: Language): Promise<void> {
  // Pages may load while texts are loading. Their texts are loaded too, so that no key is ever
  // shown.
  while (lack(language, brought).length > 0) await load(language, brought);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  chosen.set(language);
}

/** Loads the code and the texts of a page at the same time. */
export const withTexts =
  <Module>(nouns: readonly Noun[], fetchCode: () => Promise<Module>): (() => Promise<Module>) =>
  async () => {
    const [code] = await Promise.all([fetchCode(), loadTexts(nouns)]);
    return code;
  };

/** Loads the texts in the current language, which may have changed since the request. */
async function loadTexts(nouns: readonly Noun[]): Promise<void> {
  while (lack(i18next.language, nouns).length > 0) await load(i18next.language, nouns);
  for (const noun of nouns) brought.add(noun);
}

const fileOf = (language: string, noun: Noun): string =>
  initialNamespaces.includes(noun)
    ? `./text-bundles/${language}.ts`
    : `./locales/${language}/${noun}.json`;
const lack = (language: string, nouns: Iterable<Noun>): Noun[] =>
  [...nouns].filter((noun) => !loaded.has(fileOf(language, noun)));

async function load(language: string, nouns: Iterable<Noun>): Promise<void> {
  const lacking = new Set(lack(language, nouns).map((noun) => fileOf(language, noun)));
  await Promise.all(
    [...lacking].map(async (file) => {
      i18next.addResourceBundle(language, 'translation', await (bundles[file] ?? files[file])!());
      loaded.add(file);
    }),
  );
}

export { i18next };
