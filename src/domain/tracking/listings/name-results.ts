import {
  completeNaming,
  insertUnnamed,
  listUnnamed,
} from '#db/queries/listings/unnamed-listings.ts';
import type { Services } from '#domain/base/context.ts';
import type { Cost, SearchResult, StoreName, StoreRequestOptions } from '#domain/base/ports.ts';
import { addDays, type UtcDay } from '#lib/dates.ts';
import { internResults, type ListingCache } from './intern-listings.ts';
import { lookUpCards } from './look-up-cards.ts';

type NamingServices = Services & { listingCache: ListingCache };

/** Scores use the ratings of these results, so they need their facts every day. */
const ratedResults = 10;
/** The store lacks an app that it ranks; its name is requested again after these days. */
const missingForDays = 7;

interface Market {
  store: StoreName;
  country: string;
  device: string;
  day: UtcDay;
}

interface NamedResults {
  results: SearchResult[];
  /** In the order of the results. */
  listingIds: number[];
  cost: Cost;
}

/**
 * Adds facts to results that the store gave by id alone. The first results are looked up at once,
 * and so is every listing without a name while a person waits; otherwise these wait for the lookup
 * of their country and device. An app that a lookup lacks keeps its position, and a failed lookup
 * costs names only, because positions need none.
 */
export async function nameResults(
  services: NamingServices,
  market: Market,
  results: readonly SearchResult[],
  options: StoreRequestOptions,
): Promise<NamedResults> {
  const { store, country, device, day } = market;
  const { systemDb, listingCache, clock } = services;
  const isAwaited = options.lane === 'interactive';
  const unnamed = await findUnnamed(services, market, results, isAwaited);
  const rated = results.slice(0, ratedResults).filter(isBare).map(idOf);
  const storeAppIds = [...new Set([...rated, ...(isAwaited ? unnamed : [])])];
  const lookup = await lookUpCards(services, { ...market, storeAppIds }, options);
  const named = results.map(({ storeAppId, card }) => ({
    storeAppId,
    card: card ?? lookup.cards.get(storeAppId) ?? null,
  }));
  const reading = { day, country };
  const listingIds = await internResults(systemDb, listingCache, store, named, reading);
  const ids = new Map(named.map(({ storeAppId }, index) => [storeAppId, listingIds[index]!]));
  const missing = lookup.missing.map((id) => ids.get(id)!);
  if (missing.length > 0)
    await completeNaming(systemDb, { country, listingIds: missing, missing, day });
  const waiting = unnamed.filter((id) => !storeAppIds.includes(id)).map((id) => ids.get(id)!);
  if (waiting.length > 0)
    await insertUnnamed(systemDb, {
      store,
      country,
      device,
      listingIds: waiting,
      since: clock.now(),
    });
  for (const id of waiting) listingCache.setNameAwaited(country, id, day);
  return { results: named, listingIds, cost: lookup.cost };
}

const idOf = ({ storeAppId }: Pick<SearchResult, 'storeAppId'>): string => storeAppId;
const isBare = ({ card }: SearchResult): boolean => card === null;

/**
 * Results by id alone whose names in the country are not known, and are due for a request. Those
 * that wait for their lookup already are omitted, unless a person waits.
 */
async function findUnnamed(
  { systemDb, listingCache }: NamingServices,
  { store, country, day }: Market,
  results: readonly SearchResult[],
  isAwaited: boolean,
): Promise<string[]> {
  const bare = results
    .filter(isBare)
    .map(({ storeAppId }) => ({ storeAppId, id: listingCache.get(store, storeAppId)?.id }));
  const isCertain = (id: number) =>
    listingCache.isNamed(country, id) ||
    (!isAwaited && listingCache.isNameAwaited(country, id, day));
  const uncertain = bare.filter(({ id }) => id === undefined || !isCertain(id));
  if (uncertain.length === 0) return [];
  const storeAppIds = uncertain.map(idOf);
  const unnamed = await listUnnamed(systemDb, { store, country, storeAppIds });
  const without = new Set(unnamed.map(idOf));
  for (const { storeAppId, id } of uncertain)
    if (id !== undefined && !without.has(storeAppId)) listingCache.setNamed(country, id, null);
  const since = addDays(day, -missingForDays);
  return unnamed.filter(({ requestedOn }) => requestedOn === null || requestedOn < since).map(idOf);
}
