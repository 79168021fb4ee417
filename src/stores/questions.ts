import type { StoreName } from '../domain/ports.ts';
import { badRequest } from './failures.ts';

const maxPhraseLength = 500;
const maxDepth = 500;
const maxIds = 10_000;

/** Our own mistakes end here, before they cost a grant. */
export function requireSearch(store: StoreName, query: { phrase: string; country: string; depth: number }): void {
  requireCountry(store, query.country);
  const { phrase, depth } = query;
  if (phrase.trim() === '' || phrase.length > maxPhraseLength) throw badRequest(store, 'phrase', 'a phrase of 1 to 500 characters');
  if (!Number.isInteger(depth) || depth < 1 || depth > maxDepth) throw badRequest(store, 'depth', 'a depth of 1 to 500');
}

export function requireCountry(store: StoreName, country: string): void {
  if (!/^[a-z]{2}$/.test(country)) throw badRequest(store, 'country', 'a country of two lowercase letters');
}

/** Each id once. Ids go into addresses, so one the store cannot have given is refused here. */
export function requireIds(store: StoreName, ids: readonly string[], isId: (text: string) => boolean): string[] {
  if (ids.length > maxIds) throw badRequest(store, 'ids', `at most ${maxIds} ids`);
  if (!ids.every(isId)) throw badRequest(store, 'id', 'an id this store could have given');
  return [...new Set(ids)];
}
