import { afterCommit, type Db, type Tx } from '#db/database.ts';
import {
  insertBareListings,
  listIdentities,
  insertUnknownListings,
  refreshKnownListings,
  type CardReading,
  type HashedCard,
  type ListingIdentity,
} from '#db/queries/listings/listings.ts';
import { upsertListingNames } from '#db/queries/listings/listing-names.ts';
import { insertListingRatings, type RatingsOfDay } from '#db/queries/listings/listing-ratings.ts';
import type { UtcDay } from '#lib/dates.ts';
import type { AppCard, SearchResult, StoreName } from '#domain/base/ports.ts';
import { cleanCard, cleanName, cleanRatings } from './clean-listing.ts';
import { hashCard, isSameCard } from './listing-content.ts';
import type { CachedListing, ListingCache } from './listing-cache.ts';

export { ListingCache } from './listing-cache.ts';

/**
 * The listing ids of result cards, in order. Inserts unknown listings and updates changed cards, at
 * most once a day. Takes at most four statements, and none when the cache knows all. Any number of
 * writers may call it concurrently. Within a transaction call it once, because rows are locked in
 * id order only within a call.
 */
export async function internCards(
  db: Db | Tx,
  cache: ListingCache,
  store: StoreName,
  cards: readonly AppCard[],
  reading: CardReading,
): Promise<number[]> {
  const known = new Map(cards.map((card) => [card.storeAppId, cache.get(store, card.storeAppId)]));
  const asked = listToAsk(cards, known, reading.day);
  const unknown = asked.filter((card) => known.get(card.storeAppId) === undefined);
  if (unknown.length > 0) await insertUnknownListings(db, store, unknown, reading);
  const found = asked.length > 0 ? await refreshKnownListings(db, store, asked, reading) : [];
  keep(db, cache, store, found);
  const ids = new Map(found.map((row) => [row.storeAppId, row.id]));
  const listingIds = cards.map(({ storeAppId }) => {
    const id = ids.get(storeAppId) ?? known.get(storeAppId)?.id;
    if (id === undefined)
      throw new Error(`listing ${store} ${storeAppId} was neither found nor inserted`);
    return id;
  });
  await recordNames(db, cache, cards, { ...reading, listingIds });
  await recordRatings(db, cache, cards, { ...reading, listingIds });
  return listingIds;
}

/** Writes the names that a storefront showed for the first time, of a listing once a day. */
export async function recordNames(
  db: Db | Tx,
  cache: ListingCache,
  cards: readonly AppCard[],
  reading: CardReading & { listingIds: readonly number[] },
): Promise<void> {
  const { country, day, listingIds } = reading;
  const shown = new Map<number, string>();
  for (const [index, card] of cards.entries()) {
    const name = cleanName(card);
    if (!cache.hasName(country, listingIds[index]!, { name, day }))
      shown.set(listingIds[index]!, name);
  }
  if (shown.size === 0) return;
  const names = [...shown].map(([listingId, name]) => ({ listingId, name }));
  await upsertListingNames(db, reading, names);
  onceWritten(db, () => {
    for (const { listingId, name } of names) cache.setNamed(country, listingId, { name, day });
  });
}

/** Writes the ratings that a storefront shows, where they differ, of a listing once a day. */
export async function recordRatings(
  db: Db | Tx,
  cache: ListingCache,
  cards: readonly AppCard[],
  reading: CardReading & { listingIds: readonly number[] },
): Promise<void> {
  const { country, day, listingIds } = reading;
  const shown = new Map<number, RatingsOfDay>();
  for (const [index, card] of cards.entries()) {
    const listingId = listingIds[index]!;
    const ratings = cleanRatings(card);
    if (!cache.hasRatings(country, listingId, { ...ratings, day }))
      shown.set(listingId, { listingId, day, ...ratings });
  }
  if (shown.size === 0) return;
  const ratings = [...shown.values()];
  await insertListingRatings(db, country, ratings);
  onceWritten(db, () => {
    for (const { listingId, ...read } of ratings) cache.setRatings(country, listingId, read);
  });
}

/**
 * The listing ids of search results, in order. A result without a card is inserted by its id alone;
 * its listing keeps what is known of it.
 */
export async function internResults(
  db: Db,
  cache: ListingCache,
  store: StoreName,
  results: readonly SearchResult[],
  reading: CardReading,
): Promise<number[]> {
  const cards = results.flatMap(({ card }) => (card === null ? [] : [card]));
  const named = await internCards(db, cache, store, cards, reading);
  if (cards.length === results.length) return named;
  const ids = new Map(cards.map(({ storeAppId }, index) => [storeAppId, named[index]!]));
  const bare = results.flatMap(({ card, storeAppId }) => (card === null ? [storeAppId] : []));
  for (const [storeAppId, id] of await internBare(db, cache, store, bare)) ids.set(storeAppId, id);
  return results.map(({ storeAppId }) => ids.get(storeAppId)!);
}

/** The ids of listings by the store's ids; unknown ones are inserted without a name. */
async function internBare(
  db: Db,
  cache: ListingCache,
  store: StoreName,
  storeAppIds: readonly string[],
): Promise<Map<string, number>> {
  const ids = new Map(
    storeAppIds.flatMap((storeAppId) => {
      const id = cache.get(store, storeAppId)?.id;
      return id === undefined ? [] : [[storeAppId, id]];
    }),
  );
  for (const isInserted of [false, true]) {
    const unknown = storeAppIds.filter((storeAppId) => !ids.has(storeAppId));
    if (unknown.length === 0) break;
    if (isInserted) await insertBareListings(db, store, unknown);
    const found = await listIdentities(db, store, unknown);
    keep(db, cache, store, found);
    for (const { storeAppId, id } of found) ids.set(storeAppId, id);
  }
  return ids;
}

/** Cards that are unknown, or changed and not written today. */
function listToAsk(
  cards: readonly AppCard[],
  known: Map<string, CachedListing | undefined>,
  day: UtcDay,
): HashedCard[] {
  const asked = new Map<string, HashedCard>();
  for (const card of cards) {
    const cached = known.get(card.storeAppId);
    if (asked.has(card.storeAppId) || (cached && cached.seenOn !== null && cached.seenOn >= day))
      continue;
    const clean = cleanCard(card);
    const hash = hashCard(clean);
    if (!isSameCard(cached?.hash ?? null, hash)) asked.set(card.storeAppId, { ...clean, hash });
  }
  return [...asked.values()];
}

/**
 * Caches ids, in a transaction only after its commit: an id of a rolled-back insert would be
 * invalid.
 */
function keep(db: Db | Tx, cache: ListingCache, store: StoreName, found: ListingIdentity[]): void {
  onceWritten(db, () => {
    for (const row of found)
      cache.set(store, row.storeAppId, { id: row.id, hash: row.cardHash, seenOn: row.seenOn });
  });
}

function onceWritten(db: Db | Tx, write: () => void): void {
  if (db.isTransaction) afterCommit(db as Tx, write);
  else write();
}
