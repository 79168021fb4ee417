import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import en from './locales/en/index.ts';
import { createStored } from './stored.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    keySeparator: false;
    nsSeparator: false;
    defaultNS: 'translation';
    resources: { translation: typeof en };
  }
}

export const languages = ['en', 'de', 'ja'] as const;
export type Language = (typeof languages)[number];

/** Each in its own words: who does not read the language of the page must find theirs. */
export const languageNames: Record<Language, string> = { en: 'English', de: 'Deutsch', ja: '日本語' };

const others = {
  de: () => import('./locales/de/index.ts'),
  ja: () => import('./locales/ja/index.ts'),
};

const chosen = createStored<Language | null>('toprung.language', (found) => languages.find((language) => language === found) ?? null);

/** The one chosen, else the first of the browser's own that we have. */
function findLanguage(): Language {
  const wished = navigator.languages.map((tag) => tag.split('-')[0]!.toLowerCase());
  return chosen.get() ?? wished.flatMap((tag) => languages.find((language) => language === tag) ?? [])[0] ?? 'en';
}

/** Flat keys, a folder a language. English comes with the first load, and is what a text that is missing falls back to. */
export async function startI18n(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    resources: { en: { translation: en } },
  });
  await show(findLanguage()).catch(() => show('en'));
}

/** Rejects when the texts cannot be fetched; the language then stays. */
export async function setLanguage(language: Language): Promise<void> {
  await show(language);
  chosen.set(language);
}

async function show(language: Language): Promise<void> {
  if (language !== 'en' && !i18next.hasResourceBundle(language, 'translation')) {
    const { default: texts } = await others[language]();
    i18next.addResourceBundle(language, 'translation', texts);
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

export { i18next };
