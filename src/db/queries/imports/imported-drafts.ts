import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { idsOf, recordset } from './imported-rows.ts';

/** The new ids in the order of the rows. */
export function insertImportedDrafts(
  tx: Tx,
  workspaceId: number,
  drafts: { appId: number; name: string; isCurrent: boolean; createdAt: string }[],
): Promise<number[]> {
  return idsOf(
    tx,
    sql`
    insert into listing_drafts (workspace_id, app_id, name, is_current, created_at)
    select ${workspaceId}, n."appId", n.name, n."isCurrent", n."createdAt"
    from ${recordset(
      drafts,
      sql`"appId" int, name text, "isCurrent" boolean, "createdAt" timestamptz`,
    )} order by n.at returning id::float8 as id`,
  );
}

export async function insertImportedVersions(
  tx: Tx,
  workspaceId: number,
  versions: { draftId: number; locale: string; texts: object; savedAt: string }[],
): Promise<void> {
  await sql`
    insert into listing_draft_versions (workspace_id, draft_id, locale, texts, saved_at)
    select ${workspaceId}, n."draftId", n.locale, n.texts, n."savedAt"
    from ${recordset(
      versions,
      sql`"draftId" int, locale text, texts jsonb, "savedAt" timestamptz`,
    )} order by n.at`.execute(tx);
}
