/**
 * The locale in lower case, with today's code of its language: `he-il` for the `iw-IL` of Google
 * Play. A name that is no language tag keeps its code.
 */
export function canonicalLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0]!.toLowerCase();
  } catch {
    return locale.toLowerCase();
  }
}
