import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import en from './locales/en/index.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    keySeparator: false;
    nsSeparator: false;
    defaultNS: 'translation';
    resources: { translation: typeof en };
  }
}

/** Flat keys, a folder a language. English comes with the first load, the others when they are chosen. */
export async function startI18n(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    resources: { en: { translation: en } },
  });
}

export { i18next };
