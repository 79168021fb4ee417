import { storefrontLocaleOf } from '#domain/base/ports.ts';
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
  const requested = locale.toLowerCase();
  const find = (shown: string) =>
    texts.find(({ country }) => storefrontLocaleOf(app.store, country)?.toLowerCase() === shown);
  return find(requested) ?? find(requested.split('-')[0]!) ?? null;
}
