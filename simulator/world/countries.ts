const languages: Readonly<Record<string, string>> = {
  de: 'de',
  at: 'de',
  ch: 'de',
  fr: 'fr',
  be: 'fr',
  es: 'es',
  mx: 'es',
  ar: 'es',
  co: 'es',
  cl: 'es',
  br: 'pt',
  pt: 'pt',
  it: 'it',
  jp: 'ja',
};
const currencies: Readonly<Record<string, string>> = {
  us: 'USD',
  gb: 'GBP',
  jp: 'JPY',
  br: 'BRL',
  in: 'INR',
  ca: 'CAD',
  au: 'AUD',
  mx: 'MXN',
  ch: 'CHF',
  kr: 'KRW',
};
const euro = new Set(['de', 'at', 'fr', 'be', 'es', 'pt', 'it', 'nl', 'ie', 'fi', 'gr']);

export function isCountry(text: string): boolean {
  return /^[a-z]{2}$/.test(text);
}

/** The default language of a country's storefront. */
export function languageOf(country: string): string {
  return languages[country] ?? 'en';
}

export function currencyOf(country: string): string {
  return currencies[country] ?? (euro.has(country) ? 'EUR' : 'USD');
}
