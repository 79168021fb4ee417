import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

const listingLockClass = 7_470_732;
/**
 * Several listings share a lock, so that locking all listings of a large workspace does not exceed
 * the server's lock table.
 */
const listingLocks = 4_096;

export interface MarketName {
  phrase: string;
  country: string;
  device: string;
}

/**
 * Inserts new markets in one order for all writers, so that two that add the same ones cannot
 * deadlock. The anti-join keeps known markets from using up ids of the sequence.
 */
export async function insertUnknownMarkets(
  tx: Tx,
  store: StoreName,
  names: MarketName[],
): Promise<void> {
  await sql`
    insert into markets (store, country, device, phrase)
    select ${store}, n.country, n.device, n.phrase
    from ${unnestNames(names)} join stores on stores.store = ${store}
    where not exists (select from markets m where m.store = ${store} and m.country = n.country
      and m.device = n.device and m.phrase = n.phrase)
    order by n.country, array_position(stores.devices, n.device), n.phrase collate "C"
    on conflict (store, country, device, phrase) do nothing`.execute(tx);
}

/**
 * Schedules each market and locks it until the transaction ends, lowest id first. Each market is
 * numbered within the workspace that adds it, so that the run alternates between workspaces; of two
 * numbers the lower one is kept.
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
      and m.device = n.device and m.phrase = n.phrase
    order by m.id
    on conflict (market_id) do update
      set round_robin_order = least(s.round_robin_order, excluded.round_robin_order)`.execute(tx);
}

/**
 * Recomputes the demand of all workspaces for the markets. It locks them first, lowest id first,
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
 * Recomputes in which countries listings, and the competitors of their apps, are read. Of two
 * writers of a listing the second one waits. Competitors are read in the countries of the app, so a
 * change of the app affects them too.
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

/** Recomputes the demand of these listings only, when nothing else changes. */
export async function refreshDemandOf(tx: Tx, listingIds: number[]): Promise<void> {
  await lockListings(tx, listingIds);
  await sql`select refresh_listing_demand(${listingIds}::int[])`.execute(tx);
  await sql`select refresh_store_task_demand(${listingIds}::int[])`.execute(tx);
}

/** Locks until the transaction ends, lowest lock first. */
export async function lockListings(tx: Tx, listingIds: number[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(${listingLockClass}, lock)
    from (select distinct id % ${listingLocks}::int as lock from unnest(${listingIds}::int[]) as id
      order by 1) as locks`.execute(tx);
}

/**
 * Recomputes which feeds, pages and charts are read for a listing, after its category or price
 * changed.
 */
export async function refreshStoreTaskDemand(tx: Tx, listingId: number): Promise<void> {
  await lockListings(tx, [listingId]);
  await sql`select refresh_store_task_demand(array[${listingId}::int])`.execute(tx);
}

function unnestNames(names: MarketName[]) {
  return sql`
    unnest(${names.map((name) => name.country)}::text[],
      ${names.map((name) => name.device)}::text[], ${names.map((name) => name.phrase)}::text[])
    with ordinality as n(country, device, phrase, ordinal)`;
}

/** The search behind a live keyword, with the app whose position it has. */
export async function findMarketOfKeyword(
  tx: Tx,
  workspaceId: number,
  { keywordId, day }: { keywordId: number; day: string },
): Promise<
  | {
      store: StoreName;
      phrase: string;
      country: string;
      device: string;
      depth: number;
      appId: number;
      storeAppId: string;
      provider: string;
    }
  | undefined
> {
  const { rows } = await sql<
    Row<
      'market-of-keyword',
      {
        store: StoreName;
        phrase: string;
        country: string;
        device: string;
        depth: number;
        appId: number;
        storeAppId: string;
        provider: string;
      },
      'store' | 'provider'
    >
  >`/* market-of-keyword */
    select m.store, m.phrase, m.country, m.device, k.depth, a.id as "appId",
      l.store_app_id as "storeAppId", position_provider(m.store, ${day}) as provider
    from keywords k join markets m on m.id = k.market_id join apps a on a.id = k.app_id
    join listings l on l.id = a.listing_id
    where k.workspace_id = ${workspaceId} and k.id = ${keywordId} and k.archived_at is null
      and a.archived_at is null`.execute(tx);
  return rows[0];
}
