import { canonicalLocale } from '#lib/canonical-locale.ts';
import type { LiveListing } from '#web/queries/listing-drafts.ts';

/** The live listing of a locale; where a store names languages only, that of its language. */
export function findLive(live: readonly LiveListing[], locale: string): LiveListing | undefined {
  const requested = canonicalLocale(locale);
  const find = (name: string) => live.find((one) => canonicalLocale(one.locale) === name);
  return find(requested) ?? find(requested.split('-')[0]!);
}
