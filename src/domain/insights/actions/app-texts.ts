import { profileOf } from '#domain/base/ports.ts';
import type { AppFacts, TextFacts } from './facts.ts';

/**
 * The listing's texts in a country, or else those of the app's primary country; null before any
 * reading.
 */
export function pickText(
  { texts, app }: Pick<AppFacts, 'texts' | 'app'>,
  country: string,
): TextFacts | null {
  return (
    texts.find((text) => text.country === country) ??
    texts.find((text) => text.country === app.primaryCountry) ??
    null
  );
}

/**
 * The listing's texts in a country whose storefront shows a locale, or else its language; null when
 * no such country was read.
 */
export function pickTextOfLocale(
  { texts, app }: Pick<AppFacts, 'texts' | 'app'>,
  locale: string,
): TextFacts | null {
  const { storefrontLocales } = profileOf(app.store);
  if (!storefrontLocales) return null;
  const { countries, elsewhere } = storefrontLocales;
  const localeOf = (country: string): string =>
    Object.keys(countries).find((shown) => countries[shown]!.split(' ').includes(country)) ??
    elsewhere;
  const requested = locale.toLowerCase();
  const find = (shown: string) =>
    texts.find((text) => localeOf(text.country).toLowerCase() === shown);
  return find(requested) ?? find(requested.split('-')[0]!) ?? null;
}
