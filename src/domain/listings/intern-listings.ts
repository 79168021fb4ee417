import { afterCommit, type Db, type Tx } from '../../db/database.ts';
import { insertUnknownListings, refreshKnownListings, type HashedCard, type ListingIdentity } from '../../db/queries/listings.ts';
import type { UtcDay } from '../../lib/dates.ts';
import type { AppCard, StoreName } from '../ports.ts';
import { cleanCard } from './clean-listing.ts';
import { hashCard } from './listing-content.ts';
import type { CardsOfDay } from './changed-cards.ts';
import type { CachedListing, ListingCache } from './listing-cache.ts';

export { ListingCache } from './listing-cache.ts';

/**
 * The listing ids of result cards, in their order. Unknown listings are inserted: two statements, none when the cache knows
 * them all. Changed cards are renewed at most once a day, many of them together. Any number of writers may do so at once;
 * within a transaction, where nothing waits, call it once, since rows are locked in the order of their ids only within a call.
 */
export async function internCards(db: Db | Tx, cache: ListingCache, store: StoreName, cards: readonly AppCard[], day: UtcDay): Promise<number[]> {
  const known = new Map(cards.map((card) => [card.storeAppId, cache.get(store, card.storeAppId)]));
  const differing = listDiffering(cards, known, day);
  const unknown = differing.filter((card) => known.get(card.storeAppId) === undefined);
  if (unknown.length > 0) await insertUnknownListings(db, store, unknown, day);
  const found = unknown.length > 0 ? await writeCards(db, cache, store, { cards: unknown, day }) : [];
  const changed = differing.filter((card) => known.get(card.storeAppId) !== undefined);
  for (const { storeAppId, hash } of changed) cache.set(store, storeAppId, { ...known.get(storeAppId)!, hash, seenOn: day });
  const changes: CardsOfDay = { day, cards: changed };
  const due = db.isTransaction ? changes : cache.changedCards.add(store, changes, (late) => writeCards(db, cache, store, late));
  if (due !== null && due.cards.length > 0) await writeCards(db, cache, store, due);
  const ids = new Map(found.map((row) => [row.storeAppId, row.id]));
  return cards.map(({ storeAppId }) => {
    const id = ids.get(storeAppId) ?? known.get(storeAppId)?.id;
    if (id === undefined) throw new Error(`listing ${store} ${storeAppId} was neither found nor inserted`);
    return id;
  });
}

/** Cards that are not known, or that differ from what is kept and were not renewed today. */
function listDiffering(cards: readonly AppCard[], known: Map<string, CachedListing | undefined>, day: UtcDay): HashedCard[] {
  const differing = new Map<string, HashedCard>();
  for (const card of cards) {
    const cached = known.get(card.storeAppId);
    if (differing.has(card.storeAppId) || (cached && cached.seenOn !== null && cached.seenOn >= day)) continue;
    const clean = cleanCard(card);
    const hash = hashCard(clean);
    if (cached?.hash !== hash) differing.set(card.storeAppId, { ...clean, hash });
  }
  return [...differing.values()];
}

/** What the database says of them then is what is known: in a transaction after its commit, since an id of a rolled-back insert would point at nothing. */
async function writeCards(db: Db | Tx, cache: ListingCache, store: StoreName, { cards, day }: CardsOfDay): Promise<ListingIdentity[]> {
  const found = await refreshKnownListings(db, store, cards, day);
  const keep = () => {
    for (const row of found) cache.set(store, row.storeAppId, { id: row.id, hash: row.cardHash, seenOn: row.seenOn });
  };
  if (db.isTransaction) afterCommit(db as Tx, keep);
  else keep();
  return found;
}
