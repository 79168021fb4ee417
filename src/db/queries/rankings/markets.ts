import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

const listingLockClass = 7_470_732;
/**
 * Several listings share one: who locks all of a large workspace takes no more locks than a server
 * has room for.
 */
const listingLocks = 4_096;

export interface MarketName {
  phrase: string;
  country: string;
}

/**
 * Makes the markets that nobody has followed before, in one order for all writers, so that two who
 * add the same wait for each other in one direction only. The anti-join keeps known markets from
 * using up ids of the sequence.
 */
export async function insertUnknownMarkets(
  tx: Tx,
  store: StoreName,
  names: MarketName[],
): Promise<void> {
  await sql`
    insert into markets (store, country, phrase)
    select ${store}, n.country, n.phrase from ${unnestNames(names)}
    where not exists (select from markets m where m.store = ${store} and m.country = n.country
      and m.phrase = n.phrase)
    order by n.country, n.phrase collate "C"
    on conflict (store, country, phrase) do nothing`.execute(tx);
}

/**
 * Gives each market its place in the schedule and locks it until the end of the transaction, lowest
 * id first. `turn` counts the markets of the workspace that adds, so that the run takes workspaces
 * in turns; of two workspaces the earlier turn stands.
 */
export async function upsertSchedules(
  tx: Tx,
  store: StoreName,
  names: MarketName[],
  roundsUsed: number,
): Promise<void> {
  await sql`
    insert into market_schedule as s (market_id, store, round_robin_order)
    select m.id, m.store, ${roundsUsed}::int + n.ordinal::int
    from ${unnestNames(names)} join markets m on m.store = ${store} and m.country = n.country
      and m.phrase = n.phrase
    order by m.id
    on conflict (market_id) do update set round_robin_order = least(s.round_robin_order, excluded.round_robin_order)`.execute(
    tx,
  );
}

/**
 * Recomputes what all workspaces together ask of the markets; locks them first, lowest id first,
 * like every other writer.
 */
export async function refreshMarketDemand(tx: Tx, marketIds: number[]): Promise<void> {
  await sql`
    select refresh_market_demand(coalesce((
      select array_agg(locked.market_id) from (
        select market_id from market_schedule where market_id = any(${marketIds}) order by market_id
          for update
      ) as locked), '{}'))`.execute(tx);
  await sql`select refresh_hint_demand(${marketIds}::int[])`.execute(tx);
}

/**
 * Recomputes which listings, and which competitors of their apps, are read in which countries; of
 * two writers of a listing the second waits. Competitors are read where the app is, so what changes
 * for the one changes for the other.
 */
export async function refreshListingDemand(tx: Tx, listingIds: number[]): Promise<void> {
  const { rows } = await sql<Row<'refresh-listing-demand', { id: number }, 'id'>>`
    select unnest(${listingIds}::int[]) as id
    union select c.listing_id from apps a join competitors c on c.app_id = a.id
      and c.archived_at is null where a.listing_id = any(${listingIds}::int[])
    order by id`.execute(tx);
  await refreshDemandOf(
    tx,
    rows.map((row) => row.id),
  );
}

/** The same for these listings alone, where they are all that changes. */
export async function refreshDemandOf(tx: Tx, listingIds: number[]): Promise<void> {
  await lockListings(tx, listingIds);
  await sql`select refresh_listing_demand(${listingIds}::int[])`.execute(tx);
  await sql`select refresh_store_task_demand(${listingIds}::int[])`.execute(tx);
}

/** Until the end of the transaction, lowest lock first. */
export async function lockListings(tx: Tx, listingIds: number[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(${listingLockClass}, lock)
    from (select distinct id % ${listingLocks}::int as lock from unnest(${listingIds}::int[]) as id
      order by 1) as locks`.execute(tx);
}

/**
 * Which feeds, pages and charts are read for a listing, when what it shows has changed: its
 * category, its price.
 */
export async function refreshStoreTaskDemand(tx: Tx, listingId: number): Promise<void> {
  await lockListings(tx, [listingId]);
  await sql`select refresh_store_task_demand(array[${listingId}::int])`.execute(tx);
}

function unnestNames(names: MarketName[]) {
  return sql`unnest(${names.map((name) => name.country)}::text[], ${names.map((name) => name.phrase)}::text[])
    with ordinality as n(country, phrase, ordinal)`;
}
