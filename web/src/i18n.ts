import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Noun, Texts } from './texts.ts';
import { isolateText } from './isolate-text.ts';
import { createStored } from './stored.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    keySeparator: false;
    nsSeparator: false;
    defaultNS: 'translation';
    resources: { translation: Texts };
  }
}

export const languages = ['en', 'de', 'ja'] as const;
export type Language = (typeof languages)[number];

/** Each in its own words: who does not read the language of the page must find theirs. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  ja: '日本語',
};

/** What every page says. All other texts come with the pages that say them. */
const firstNouns: readonly Noun[] = ['frame', 'kit'];

const files = import.meta.glob<Partial<Texts>>('./locales/*/*.json', { import: 'default' });
const brought = new Set<Noun>();
const loaded = new Set<string>();

const chosen = createStored<Language | null>(
  'toprung.language',
  (found) => languages.find((language) => language === found) ?? null,
);

/** The one chosen, else the first of the browser's own that we have. */
function findLanguage(): Language {
  const wished = navigator.languages.map((tag) => tag.split('-')[0]!.toLowerCase());
  return (
    chosen.get() ??
    wished.flatMap((tag) => languages.find((language) => language === tag) ?? [])[0] ??
    'en'
  );
}

/** Flat keys, a folder a language, a file a noun. Every language is whole: there is none to fall back to. */
export async function startI18n(): Promise<void> {
  const lng = findLanguage();
  await i18next.use(initReactI18next).init({
    lng,
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escape: isolateText },
    resources: {},
  });
  await bringTexts(firstNouns);
  document.documentElement.lang = lng;
}

/** Rejects when the texts cannot be fetched; the language then stays. */
export async function setLanguage(language: Language): Promise<void> {
  // A page may come while its texts are fetched; those are fetched too, so that no key is ever shown.
  while (lack(language, brought).length > 0) await load(language, brought);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  chosen.set(language);
}

/** What a page, or a part that comes later, needs to be shown: its code and its texts, fetched at once. */
export const withTexts =
  <Module>(nouns: readonly Noun[], fetchCode: () => Promise<Module>): (() => Promise<Module>) =>
  async () => {
    const [code] = await Promise.all([fetchCode(), bringTexts(nouns)]);
    return code;
  };

/** In the language shown when they are there, which may be another than when they were asked for. */
async function bringTexts(nouns: readonly Noun[]): Promise<void> {
  while (lack(i18next.language, nouns).length > 0) await load(i18next.language, nouns);
  for (const noun of nouns) brought.add(noun);
}

const fileOf = (language: string, noun: Noun): string => `./locales/${language}/${noun}.json`;
const lack = (language: string, nouns: Iterable<Noun>): Noun[] =>
  [...nouns].filter((noun) => !loaded.has(fileOf(language, noun)));

async function load(language: string, nouns: Iterable<Noun>): Promise<void> {
  await Promise.all(
    lack(language, nouns).map(async (noun) => {
      const file = fileOf(language, noun);
      i18next.addResourceBundle(language, 'translation', await files[file]!());
      loaded.add(file);
    }),
  );
}

export { i18next };
