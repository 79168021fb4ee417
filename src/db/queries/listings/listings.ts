import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/**
 * The bits of a card's hash that stand for its votes: 0 when the card has none, as is common in
 * lists.
 */
export const cardVotesMask = 0xfff;

export interface HashedCard {
  storeAppId: string;
  bundleId: string | null;
  name: string;
  developer: string | null;
  iconUrl: string | null;
  rating: number | null;
  ratingCount: number | null;
  /** The fields of the card that could not be read. */
  unread: readonly string[];
  hash: number;
}

/** The storefront that showed cards, and the day. */
export interface CardReading {
  day: string;
  country: string;
}

export interface ListingIdentity {
  id: number;
  storeAppId: string;
  cardHash: number | null;
  seenOn: string | null;
}

/**
 * Inserts new listings. They are inserted in the order of their ids, so that two writers cannot
 * deadlock; the anti-join keeps known listings from using up ids of the sequence.
 */
export async function insertUnknownListings(
  db: Db | Tx,
  store: StoreName,
  cards: HashedCard[],
  { day, country }: CardReading,
): Promise<void> {
  await sql`/* insert-unknown-listings */
    insert into listings (store, store_app_id, bundle_id, name, named_in, named_on, developer,
      icon_url, rating, rating_count, card_hash, seen_on)
    select ${store}, c.store_app_id, c.bundle_id, c.name, ${country}, ${day}::date, c.developer,
      c.icon_url, c.rating, c.rating_count, c.hash, ${day}::date
    from ${unnestCards(cards)}
    where not exists (select from listings l where l.store = ${store}
      and l.store_app_id = c.store_app_id)
    order by c.store_app_id collate "C"
    on conflict (store, store_app_id) do nothing`.execute(db);
}

/** Inserts listings of which only the store's id is known. */
export async function insertBareListings(
  db: Db,
  store: StoreName,
  storeAppIds: readonly string[],
): Promise<void> {
  await sql`/* insert-bare-listings */
    insert into listings (store, store_app_id)
    select ${store}, id from unnest(${[...storeAppIds]}::text[]) as asked(id)
    order by id collate "C"
    on conflict (store, store_app_id) do nothing`.execute(db);
}

/** The known ones of some listings, by the store's ids. */
export async function listIdentities(
  db: Db,
  store: StoreName,
  storeAppIds: readonly string[],
): Promise<ListingIdentity[]> {
  const { rows } = await sql<Row<'listing-identities', ListingIdentity>>`/* listing-identities */
    select id, store_app_id as "storeAppId", card_hash as "cardHash", seen_on as "seenOn"
    from listings
    where store = ${store} and store_app_id = any(${[...storeAppIds]}::text[])`.execute(db);
  return rows;
}

/**
 * Returns ids of known listings, and updates their cards once a day where they differ. Facts that a
 * card lacks stay, and so do names (`upsertListingNames`). Locked rows are skipped (`skip locked`),
 * because a card is not worth a wait.
 * The planner expects ten cards in a list, so joins of two lists would become nested loops.
 */
export async function refreshKnownListings(
  db: Db | Tx,
  store: StoreName,
  cards: HashedCard[],
  { day, country }: CardReading,
): Promise<ListingIdentity[]> {
  const { rows } = await sql<
    Row<'refresh-known-listings', ListingIdentity>
  >`/* refresh-known-listings */
    with known as (
      select l.id, l.store_app_id, l.card_hash, l.seen_on, c.bundle_id, c.name, c.developer,
        c.icon_url, c.rating, c.rating_count, c.hash
      from ${unnestCards(cards)} join listings l on l.store = ${store}
        and l.store_app_id = c.store_app_id
    ), free as (
      select k.* from known k join listings l on l.id = k.id
      where (k.card_hash is null or (k.card_hash # k.hash) & case k.hash & ${cardVotesMask}::int
        when 0 then ~${cardVotesMask}::int else -1 end <> 0)
        and (k.seen_on is null or k.seen_on < ${day}::date)
      order by l.id for no key update of l skip locked
    ), renewed as (
      update listings l set bundle_id = coalesce(f.bundle_id, l.bundle_id),
        name = coalesce(l.name, f.name),
        named_in = case when l.name is null then ${country} else l.named_in end,
        named_on = case when l.name is null then ${day}::date else l.named_on end,
        developer = coalesce(f.developer, l.developer), icon_url = coalesce(f.icon_url, l.icon_url),
        rating = coalesce(f.rating, l.rating),
        rating_count = coalesce(f.rating_count, l.rating_count),
        card_hash = f.hash, seen_on = ${day}::date
      from free f where l.id = f.id
      returning l.id, l.store_app_id, l.card_hash, l.seen_on
    )
    select id, store_app_id as "storeAppId", card_hash as "cardHash", seen_on as "seenOn"
      from renewed
    union all
    select id, store_app_id, card_hash, seen_on from known
    where id not in (select id from renewed)`.execute(db);
  return rows;
}

/**
 * Writes a listing's card and locks its row until the transaction ends, so that readings of one
 * listing are serialized. Facts that could not be read stay, and the name of another storefront.
 */
export async function upsertListing(
  tx: Tx,
  store: StoreName,
  card: HashedCard,
  { day, country }: CardReading,
): Promise<number> {
  const read = <Name extends keyof HashedCard>(name: Name) =>
    card.unread.includes(name) ? undefined : card[name];
  const values = {
    bundle_id: read('bundleId'),
    name: card.name,
    named_in: country,
    named_on: day,
    developer: read('developer'),
    icon_url: read('iconUrl'),
    rating: read('rating'),
    rating_count: read('ratingCount'),
    card_hash: card.hash,
    seen_on: day,
  };
  const renewed = {
    ...values,
    name: sql<string>`case when listings.name is null or listings.named_in = ${country}
      then ${card.name}::text else listings.name end`,
    named_in: sql<string>`case when listings.name is null then ${country} else listings.named_in
      end`,
    named_on: sql<string>`case when listings.name is null or listings.named_in = ${country}
      then ${day}::date else listings.named_on end`,
  };
  const known = await tx
    .updateTable('listings')
    .set(renewed)
    .where('store', '=', store)
    .where('store_app_id', '=', card.storeAppId)
    .returning('id')
    .executeTakeFirst();
  if (known) return known.id;
  const { id } = await tx
    .insertInto('listings')
    .values({ store, store_app_id: card.storeAppId, ...values })
    .onConflict((conflict) => conflict.columns(['store', 'store_app_id']).doUpdateSet(renewed))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Listing ids by the store's own id. */
export async function listStoreAppIds(
  db: Db | Tx,
  listingIds: number[],
): Promise<Map<string, number>> {
  const { rows } = await sql<Row<'store-app-ids'>>`/* store-app-ids */
    select id, store_app_id as "storeAppId" from listings
    where id = any(${listingIds}::int[])`.execute(db);
  return new Map(rows.map((row) => [row.storeAppId, row.id]));
}

/** Ids of known listings by the store's own ids. */
export async function listListingIds(
  tx: Tx,
  store: StoreName,
  storeAppIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<
    Row<'listing-ids', { id: number; storeAppId: string }>
  >`/* listing-ids */
    select id, store_app_id as "storeAppId" from listings
    where store = ${store} and store_app_id = any(${[...storeAppIds]}::text[])`.execute(tx);
  return new Map(rows.map(({ id, storeAppId }) => [storeAppId, id]));
}

export interface SeenListing {
  id: number;
  storeAppId: string;
  /** From its newest snapshot in the country; null without one. */
  name: string | null;
  /** In the store's own format. */
  releasedAt: string | null;
  categoryId: string | null;
}

/** Known facts of apps in a country. Unknown apps are omitted. Public facts only. */
export async function listSeenListings(
  tx: Tx,
  store: StoreName,
  country: string,
  storeAppIds: readonly string[],
): Promise<SeenListing[]> {
  const { rows } = await sql<Row<'seen-listings', SeenListing>>`/* seen-listings */
    select l.id, l.store_app_id as "storeAppId", s.name, s."releasedAt", s."categoryId"
    from listings l
    left join lateral (
      select fields->>'name' as name, fields->>'releasedAt' as "releasedAt",
        fields->>'categoryId' as "categoryId"
      from snapshots where listing_id = l.id and country = ${country} order by id desc limit 1
    ) s on true
    where l.store = ${store} and l.store_app_id = any(${[...storeAppIds]}::text[])`.execute(tx);
  return rows;
}

/** Locks a listing's row until the transaction ends, as `upsertListing` does. */
export async function lockListing(tx: Tx, listingId: number): Promise<void> {
  await sql`select from listings where id = ${listingId} for no key update`.execute(tx);
}

function unnestCards(cards: HashedCard[]) {
  const column = <Value>(read: (card: HashedCard) => Value) => sql`${cards.map(read)}`;
  return sql`unnest(
    ${column((card) => card.storeAppId)}::text[], ${column((card) => card.bundleId)}::text[],
    ${column((card) => card.name)}::text[], ${column((card) => card.developer)}::text[],
    ${column((card) => card.iconUrl)}::text[], ${column((card) => card.rating)}::real[],
    ${column((card) => card.ratingCount)}::int[], ${column((card) => card.hash)}::int[]
  ) as c(store_app_id, bundle_id, name, developer, icon_url, rating, rating_count, hash)`;
}
