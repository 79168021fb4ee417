import { storeCountries } from '#web/countries.ts';

/**
 * The country of the browser's languages: the region they name, otherwise the country with most
 * speakers of the first one.
 */
export function guessCountry(tags: readonly string[] = navigator.languages): string {
  const locales = tags.flatMap(readLocale);
  const regions = [...locales, ...locales.map((locale) => locale.maximize())].flatMap(
    ({ region }) => region?.toLowerCase() ?? [],
  );
  return regions.find((region) => storeCountries.includes(region)) ?? 'us';
}

/** Browsers pass on system locales such as `en-US@posix`, which are not language tags. */
function readLocale(tag: string): Intl.Locale[] {
  try {
    return [new Intl.Locale(tag)];
  } catch {
    return [];
  }
}
