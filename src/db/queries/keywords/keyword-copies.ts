import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/**
 * Keywords of a country to copy to another country: the tracked ones, in the order in which they
 * were added.
 */
export async function listCopiedKeywords(
  tx: Tx,
  workspaceId: number,
  from: { appId: number; country: string; tag: string | null },
): Promise<{ phrase: string; device: string; depth: number; tags: string[] }[]> {
  const { rows } = await sql<Row<'list-copied-keywords'>>`
    select phrase, device, depth, tags from keywords
    where workspace_id = ${workspaceId} and app_id = ${from.appId} and country = ${from.country}
      and archived_at is null and not paused
      and (${from.tag}::text is null or ${from.tag} = any(tags))
    order by id`.execute(tx);
  return rows;
}
