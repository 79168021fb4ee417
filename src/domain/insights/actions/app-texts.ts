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
