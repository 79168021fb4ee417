import type { LiveTextsRow } from '#db/queries/listing-drafts/draft-versions.ts';
import { storefrontLocaleOf, type StoreName } from '#domain/base/ports.ts';
import { canonicalLocale } from '#lib/canonical-locale.ts';

/**
 * The stored listing of a storefront that shows a locale first; of several the first one. A store
 * whose requests name a language has the language in the row; the exact one comes before another
 * form of it.
 */
export function findLive(
  store: StoreName,
  locale: string,
  rows: readonly LiveTextsRow[],
): LiveTextsRow | null {
  const requested = canonicalLocale(locale);
  const language = requested.split('-')[0]!;
  const shown = rows.map((row) => {
    const name = shownLocale(store, row);
    return { row, locale: name === null ? null : canonicalLocale(name) };
  });
  const found =
    shown.find((one) => one.locale === requested) ?? shown.find((one) => one.locale === language);
  return found?.row ?? null;
}

/** The locale of a stored listing; null when it is unknown. */
export function shownLocale(store: StoreName, { country, language }: LiveTextsRow): string | null {
  return storefrontLocaleOf(store, country) ?? language;
}
