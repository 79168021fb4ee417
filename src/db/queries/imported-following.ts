import { sql } from 'kysely';
import type { StoreName } from '../../lib/store-name.ts';
import type { Tx } from '../database.ts';

/** Public names that an import needs, made before it and for themselves: a listing or a market that nobody follows is asked for nothing. */
export async function insertUnknownListings(tx: Tx, store: StoreName, storeAppIds: string[]): Promise<void> {
  await sql`
    insert into listings (store, store_app_id)
    select ${store}, n.id from unnest(${storeAppIds}::text[]) as n(id)
    where not exists (select from listings l where l.store = ${store} and l.store_app_id = n.id)
    order by n.id collate "C" on conflict (store, store_app_id) do nothing`.execute(tx);
}

/**
 * Gives the markets of all keywords of a workspace their place in the schedule, and locks them until the end of the transaction,
 * lowest id first, like every other writer. Answers those that are followed now.
 */
export async function scheduleMarkets(tx: Tx, workspaceId: number): Promise<number[]> {
  await sql`
    insert into market_schedule as s (market_id, store, turn)
    select k.market_id, m.store, row_number() over (order by k.first)
    from (select market_id, min(id) as first from keywords where workspace_id = ${workspaceId} group by market_id) k join markets m on m.id = k.market_id
    order by k.market_id
    on conflict (market_id) do update set turn = least(s.turn, excluded.turn)`.execute(tx);
  const { rows } = await sql<{ id: number }>`
    select distinct k.market_id as id from keywords k join apps a on a.id = k.app_id
    where k.workspace_id = ${workspaceId} and k.archived_at is null and not k.paused and a.archived_at is null order by 1`.execute(tx);
  return rows.map((row) => row.id);
}

export interface FollowedAgain {
  appId: number;
  listingId: number;
  marketIds: number[];
  /** Of its competitors that are not put away. */
  rivalIds: number[];
}

/** The live apps of a workspace with what is followed for each. */
export async function listFollowedAgain(tx: Tx, workspaceId: number): Promise<FollowedAgain[]> {
  const { rows } = await sql<FollowedAgain>`
    select a.id as "appId", a.listing_id as "listingId",
      array(select k.market_id from keywords k where k.workspace_id = ${workspaceId} and k.app_id = a.id and k.archived_at is null and not k.paused
        order by 1) as "marketIds",
      array(select c.listing_id from competitors c where c.workspace_id = ${workspaceId} and c.app_id = a.id and c.archived_at is null order by 1)
        as "rivalIds"
    from apps a where a.workspace_id = ${workspaceId} and a.archived_at is null order by a.id`.execute(tx);
  return rows;
}

/** The listings of apps of other stores' names, where this instance has heard of them. */
export async function listKnownListings(tx: Tx, names: { store: StoreName; storeAppId: string }[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select l.id, l.store || ' ' || l.store_app_id as name
    from unnest(${names.map(({ store }) => store)}::text[], ${names.map(({ storeAppId }) => storeAppId)}::text[]) as n(store, id)
      join listings l on l.store = n.store and l.store_app_id = n.id`.execute(tx);
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** The markets of a workspace's own keywords, by keyword. */
export async function listMarketsOf(tx: Tx, workspaceId: number, keywordIds: number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; marketId: number }>`
    select id, market_id as "marketId" from keywords where workspace_id = ${workspaceId} and id = any(${keywordIds}::int[])`.execute(tx);
  return new Map(rows.map(({ id, marketId }) => [id, marketId]));
}
