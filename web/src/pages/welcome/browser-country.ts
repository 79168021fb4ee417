import { storeCountries } from '../../countries.ts';

/** Where the reader's languages are at home: the region they name, else the one where most speak the first of them. */
export function guessCountry(tags: readonly string[] = navigator.languages): string {
  const locales = tags.flatMap(readLocale);
  const regions = [...locales, ...locales.map((locale) => locale.maximize())].flatMap(
    ({ region }) => region?.toLowerCase() ?? [],
  );
  return regions.find((region) => storeCountries.includes(region)) ?? 'us';
}

/** A browser passes on what its system is set to, such as `en-US@posix`, which is no language tag. */
function readLocale(tag: string): Intl.Locale[] {
  try {
    return [new Intl.Locale(tag)];
  } catch {
    return [];
  }
}
