import { afterCommit, type Tx } from '../../db/database.ts';
import { insertUnknownListings, refreshKnownListings, type HashedCard } from '../../db/queries/listings.ts';
import type { UtcDay } from '../../lib/dates.ts';
import type { AppCard, StoreName } from '../ports.ts';
import { cleanCard } from './clean-listing.ts';
import { hashCard } from './listing-content.ts';
import type { ListingCache } from './listing-cache.ts';

/**
 * The listing ids of result cards, in their order. Unknown listings are inserted and changed cards renewed, at most
 * once a day; two statements at most, none when the cache knows them all. Any number of writers may do so at once,
 * one call per transaction.
 */
export async function internCards(
  tx: Tx,
  input: { cache: ListingCache; store: StoreName; cards: readonly AppCard[]; day: UtcDay },
): Promise<number[]> {
  const { cache, store, day } = input;
  const cards = input.cards.map((card) => ({ card, known: cache.get(store, card.storeAppId) }));
  const hashed = new Map<string, HashedCard>();
  const unknown = new Set<string>();
  for (const { card, known } of cards) {
    if (known !== undefined && known.seenOn !== null && known.seenOn >= day) continue;
    const clean = cleanCard(card);
    const hash = hashCard(clean);
    if (known?.hash === hash) continue;
    hashed.set(card.storeAppId, { ...clean, hash });
    if (known === undefined) unknown.add(card.storeAppId);
  }
  const asked = [...hashed.values()];
  if (unknown.size > 0) await insertUnknownListings(tx, store, asked.filter((card) => unknown.has(card.storeAppId)), day);
  const found = asked.length > 0 ? await refreshKnownListings(tx, store, asked, day) : [];
  // Not before the commit: an id of a rolled-back insert would point at nothing.
  afterCommit(tx, () => {
    for (const row of found) cache.set(store, row.storeAppId, { id: row.id, hash: row.cardHash, seenOn: row.seenOn });
  });
  const ids = new Map(found.map((row) => [row.storeAppId, row.id]));
  return cards.map(({ card, known }) => {
    const id = ids.get(card.storeAppId) ?? known?.id;
    if (id === undefined) throw new Error(`listing ${store} ${card.storeAppId} was neither found nor inserted`);
    return id;
  });
}
