import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** The next rows of a kind that an import may publish, oldest day first; at most `limit`. */
export async function listFactsToPublish(
  tx: Tx,
  workspaceId: number,
  { kind, limit }: { kind: string; limit: number },
): Promise<{ id: string; items: string }[]> {
  const { rows } = await sql<Row<'facts-to-publish'>>`/* facts-to-publish */
    select id::text as id, items::text as items from imported_facts
    where workspace_id = ${workspaceId} and kind = ${kind} and to_publish
    order by on_date, id limit ${limit}`.execute(tx);
  return rows;
}

/**
 * The items of rows, each with the listing that it is about, or the market. Columns: row_id, number
 * (within the row), item, app_id, listing_id, market_id.
 */
export function itemsOf(workspaceId: number, ids: readonly string[]): RawBuilder<unknown> {
  return sql`(
    select f.id as row_id, e.number, e.item, a.id as app_id, k.market_id,
      coalesce(c.listing_id, a.listing_id) as listing_id
    from imported_facts f
    cross join lateral jsonb_array_elements(f.items) with ordinality as e(item, number)
    join apps a on a.workspace_id = ${workspaceId} and a.id = f.app_id
    left join keywords k on k.workspace_id = ${workspaceId} and k.id = f.keyword_id
    left join competitors c on c.workspace_id = ${workspaceId}
      and c.id = (e.item->>'competitorId')::int
    where f.workspace_id = ${workspaceId} and f.id = any(${[...ids]}::bigint[])
  )`;
}

/**
 * Ends the publication of rows: items that this instance has as public facts by now are deleted,
 * its own readings included, and the others stay evidence of the workspace. `isPublic` is a
 * condition on `g`, an item.
 */
export async function endPublication(
  tx: Tx,
  workspaceId: number,
  ids: readonly string[],
  isPublic: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    with kept as (
      select asked.id, jsonb_agg(g.item order by g.number) filter (where not (${isPublic}))
        as items
      from unnest(${[...ids]}::bigint[]) as asked(id)
      left join ${itemsOf(workspaceId, ids)} as g on g.row_id = asked.id
      group by asked.id
    ), published as (
      delete from imported_facts f using kept
      where f.workspace_id = ${workspaceId} and f.id = kept.id and kept.items is null
    )
    update imported_facts f set items = kept.items, to_publish = false
    from kept where f.workspace_id = ${workspaceId} and f.id = kept.id
      and kept.items is not null`.execute(tx);
}
