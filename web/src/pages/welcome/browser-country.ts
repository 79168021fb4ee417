import { storeCountries } from '../../countries.ts';

/** Where the reader's languages are at home: the region they name, else the one where most speak the first of them. */
export function guessCountry(tags: readonly string[] = navigator.languages): string {
  const locales = tags.map((tag) => new Intl.Locale(tag));
  const regions = [...locales, ...locales.map((locale) => locale.maximize())].flatMap(({ region }) => region?.toLowerCase() ?? []);
  return regions.find((region) => storeCountries.includes(region)) ?? 'us';
}
