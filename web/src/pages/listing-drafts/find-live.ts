import type { LiveListing } from '#web/queries/listing-drafts.ts';

/** The live listing of a locale; where a store names languages only, that of its language. */
export function findLive(live: readonly LiveListing[], locale: string): LiveListing | undefined {
  const lower = locale.toLowerCase();
  const find = (name: string) => live.find((one) => one.locale.toLowerCase() === name);
  return find(lower) ?? find(lower.split('-')[0]!);
}
