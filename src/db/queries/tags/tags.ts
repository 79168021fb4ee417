import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface TagRow {
  name: string;
  color: string | null;
  apps: number;
  keywords: number;
}

/**
 * Tags in use on apps or live keywords, by name: all of them, or the named ones. A tag that is no
 * longer used does not exist, even if it has a colour.
 */
export async function listTags(
  tx: Tx,
  workspaceId: number,
  names: string[] | null = null,
): Promise<TagRow[]> {
  const { rows } = await sql<Row<'list-tags', TagRow, 'name' | 'apps' | 'keywords'>>`
    with used as (
      select tag as name, 1 as apps, 0 as keywords from apps a, unnest(a.tags) tag
        where a.workspace_id = ${workspaceId}
      union all
      select tag, 0, 1 from keywords k, unnest(k.tags) tag
        where k.workspace_id = ${workspaceId} and k.archived_at is null
    )
    select u.name, s.color, sum(u.apps)::int as apps, sum(u.keywords)::int as keywords
    from used u left join tag_styles s on s.workspace_id = ${workspaceId} and s.name = u.name
    where ${names}::text[] is null or u.name = any(${names})
    group by u.name, s.color order by u.name collate "C"`.execute(tx);
  return rows;
}

/**
 * Replaces a tag on apps and keywords, including archived ones; null removes it. Rows that already
 * have the new name keep it once. Markets are locked before their keywords, as by the daily check.
 */
export async function replaceTag(
  tx: Tx,
  workspaceId: number,
  from: string,
  to: string | null,
): Promise<void> {
  const tags = sql`case when ${to}::text is null or ${to} = any(t.tags)
    then array_remove(t.tags, ${from}) else array_replace(t.tags, ${from}, ${to}) end`;
  await sql`
    with carriers as (
      select id from apps where workspace_id = ${workspaceId} and ${from} = any(tags)
        order by id for no key update
    )
    update apps t set tags = ${tags} from carriers
      where t.workspace_id = ${workspaceId} and t.id = carriers.id`.execute(tx);
  await sql`
    select from market_schedule where market_id in (select market_id from keywords
      where workspace_id = ${workspaceId} and ${from} = any(tags))
    order by market_id for update`.execute(tx);
  await sql`
    with carriers as (
      select id from keywords where workspace_id = ${workspaceId} and ${from} = any(tags)
        order by id for no key update
    )
    update keywords t set tags = ${tags} from carriers
      where t.workspace_id = ${workspaceId} and t.id = carriers.id`.execute(tx);
}

export async function upsertTagColor(
  tx: Tx,
  workspaceId: number,
  name: string,
  color: string | null,
): Promise<void> {
  await sql`
    insert into tag_styles (workspace_id, name, color) values (${workspaceId}, ${name}, ${color})
    on conflict (workspace_id, name) do update set color = excluded.color`.execute(tx);
}

/** Undefined when the tag never had a colour. */
export async function deleteTagColor(
  tx: Tx,
  workspaceId: number,
  name: string,
): Promise<string | null | undefined> {
  const row = await tx
    .deleteFrom('tag_styles')
    .where('workspace_id', '=', workspaceId)
    .where('name', '=', name)
    .returning('color')
    .executeTakeFirst();
  return row?.color;
}
