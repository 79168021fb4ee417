import { servesDevice, type StoreName } from '#domain/base/ports.ts';
import { badRequest } from './store-errors.ts';

const maxPhraseLength = 500;
const maxDepth = 500;
const maxIds = 10_000;
const maxPrefixLength = 200;
/** No store shows more of a chart than this. */
const maxChartLimit = 200;

/** Malformed queries end here, before they cost a grant. */
export function requireSearch(
  store: StoreName,
  query: { phrase: string; country: string; depth: number },
): void {
  requireCountry(store, query.country);
  const { phrase, depth } = query;
  if (phrase.trim() === '' || phrase.length > maxPhraseLength)
    throw badRequest(store, 'phrase', 'a phrase of 1 to 500 characters');
  if (!Number.isInteger(depth) || depth < 1 || depth > maxDepth)
    throw badRequest(store, 'depth', 'a depth of 1 to 500');
}

/** The entry of a table by a name from the query. */
export function requireKey<Value>(
  store: StoreName,
  what: string,
  table: Readonly<Record<string, Value>>,
  name: string,
): Value {
  const found = Object.hasOwn(table, name) ? table[name] : undefined;
  if (found === undefined) throw badRequest(store, what, `one of ${Object.keys(table).join(', ')}`);
  return found;
}

/** A provider without results on the device has none to be taken for. */
export function requireDevice(
  store: StoreName,
  { provider, device }: { provider: string; device: string },
): void {
  if (!servesDevice(store, provider, device))
    throw badRequest(store, 'device', `a device that ${provider} has results of`);
}

export function requireCountry(store: StoreName, country: string): void {
  if (!/^[a-z]{2}$/.test(country))
    throw badRequest(store, 'country', 'a country of two lowercase letters');
}

/**
 * Each id once. Ids go into addresses, so an id that the store cannot have assigned is rejected
 * here.
 */
export function requireIds(
  store: StoreName,
  ids: readonly string[],
  isId: (text: string) => boolean,
): string[] {
  if (ids.length > maxIds) throw badRequest(store, 'ids', `at most ${maxIds} ids`);
  if (!ids.every(isId)) throw badRequest(store, 'id', 'an id this store could have given');
  return [...new Set(ids)];
}

/** One id that the store could have assigned. */
export function requireId(store: StoreName, id: string, isId: (text: string) => boolean): void {
  requireIds(store, [id], isId);
}

export function requirePrefix(store: StoreName, prefix: string): void {
  if (prefix.trim() === '' || prefix.length > maxPrefixLength)
    throw badRequest(store, 'prefix', 'a prefix of 1 to 200 characters');
}

export function requireChart(
  store: StoreName,
  query: { limit: number; category: string | null; country: string },
): void {
  requireCountry(store, query.country);
  const { limit, category } = query;
  if (!Number.isInteger(limit) || limit < 1 || limit > maxChartLimit)
    throw badRequest(store, 'limit', 'a limit of 1 to 200');
  if (category !== null && !/^\w{1,60}$/.test(category))
    throw badRequest(store, 'category', "a category by the store's own id");
}
