import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/**
 * Creates the listings and markets that an import needs, before it and in transactions of their
 * own. Nothing is requested for a listing or market that no keyword tracks.
 */
export async function insertUnknownListings(
  tx: Tx,
  store: StoreName,
  storeAppIds: string[],
): Promise<void> {
  await sql`
    insert into listings (store, store_app_id)
    select ${store}, n.id from unnest(${storeAppIds}::text[]) as n(id)
    where not exists (select from listings l where l.store = ${store} and l.store_app_id = n.id)
    order by n.id collate "C" on conflict (store, store_app_id) do nothing`.execute(tx);
}

export interface MarketOrder {
  id: number;
  order: number;
}

/** The markets of all keywords of a workspace, lowest id first, with their order in the run. */
export async function listMarketOrder(tx: Tx, workspaceId: number): Promise<MarketOrder[]> {
  const { rows } = await sql<Row<'list-market-order', MarketOrder>>`
    select market_id as id, (row_number() over (order by min(id)))::int as "order" from keywords
      where workspace_id = ${workspaceId}
    group by market_id order by 1`.execute(tx);
  return rows;
}

/**
 * Schedules markets and locks them until the transaction ends, lowest id first, like every other
 * writer.
 */
export async function scheduleMarkets(tx: Tx, markets: MarketOrder[]): Promise<void> {
  await sql`
    insert into market_schedule as s (market_id, store, round_robin_order)
    select m.id, m.store, n.round_robin_order
    from unnest(${markets.map(({ id }) => id)}::int[], ${markets.map(({ order }) => order)}::int[])
      as n(id, round_robin_order) join markets m on m.id = n.id
    order by m.id
    on conflict (market_id) do update
      set round_robin_order = least(s.round_robin_order, excluded.round_robin_order)`.execute(tx);
}

/**
 * The listings of a workspace's live apps and of their competitors. Those of one app come together,
 * because their keywords are read together.
 */
export async function listRetrackedListings(tx: Tx, workspaceId: number): Promise<number[]> {
  const { rows } = await sql<Row<'list-retracked-listings'>>`
    select followed.listing_id as id
    from apps a cross join lateral (
      select a.listing_id
      union all select c.listing_id from competitors c
        where c.workspace_id = ${workspaceId} and c.app_id = a.id and c.archived_at is null
    ) as followed
    where a.workspace_id = ${workspaceId} and a.archived_at is null
    group by 1 order by min(a.id), 1`.execute(tx);
  return rows.map((row) => row.id);
}

export interface RetrackedApp {
  appId: number;
  listingId: number;
  marketIds: number[];
}

/** The next live app of a workspace, with the markets of its tracked keywords. */
export async function findRetrackedApp(
  tx: Tx,
  workspaceId: number,
  afterAppId: number,
): Promise<RetrackedApp | undefined> {
  const { rows } = await sql<Row<'find-retracked-app', RetrackedApp>>`
    select a.id as "appId", a.listing_id as "listingId",
      array(select k.market_id from keywords k
        where k.workspace_id = ${workspaceId} and k.app_id = a.id and k.archived_at is null
        and not k.paused
        order by 1) as "marketIds"
    from apps a where a.workspace_id = ${workspaceId} and a.id > ${afterAppId}
      and a.archived_at is null order by a.id limit 1`.execute(tx);
  return rows[0];
}

/**
 * Locks the schedules of an app until the transaction ends, in the order of all writers: markets,
 * then the listing.
 */
export async function lockSchedules(
  tx: Tx,
  { listingId, marketIds }: Pick<RetrackedApp, 'listingId' | 'marketIds'>,
): Promise<void> {
  await sql`
    select from market_schedule where market_id = any(${marketIds}::int[])
    order by market_id for update`.execute(tx);
  await sql`
    select from listing_schedule where listing_id = ${listingId}
    order by country for update`.execute(tx);
}

/** The listings that this instance knows, by store and store id. */
export async function listKnownListings(
  tx: Tx,
  names: { store: StoreName; storeAppId: string }[],
): Promise<Map<string, number>> {
  const { rows } = await sql<Row<'list-known-listings'>>`
    select l.id, l.store || ' ' || l.store_app_id as name
    from unnest(${names.map(({ store }) => store)}::text[],
      ${names.map(({ storeAppId }) => storeAppId)}::text[]) as n(store, id)
      join listings l on l.store = n.store and l.store_app_id = n.id`.execute(tx);
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** The markets of a workspace's own keywords, by keyword. */
export async function listMarketsOf(
  tx: Tx,
  workspaceId: number,
  keywordIds: number[],
): Promise<Map<number, number>> {
  const { rows } = await sql<Row<'list-markets-of'>>`
    select id, market_id as "marketId" from keywords
      where workspace_id = ${workspaceId} and id = any(${keywordIds}::int[])`.execute(tx);
  return new Map(rows.map(({ id, marketId }) => [id, marketId]));
}
