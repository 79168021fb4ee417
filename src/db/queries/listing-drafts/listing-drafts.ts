import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface DraftRow {
  id: number;
  appId: number;
  name: string;
  isCurrent: boolean;
  createdAt: Date;
  savedAt: Date | null;
  lastVersionId: number | null;
  locales: string[];
}

/** Locales whose newest version has texts, by one descent of the index for each. */
const draftColumns = sql`
  d.id, d.app_id as "appId", d.name, d.is_current as "isCurrent", d.created_at as "createdAt",
  (select max(v.saved_at) from listing_draft_versions v
    where v.workspace_id = d.workspace_id and v.draft_id = d.id) as "savedAt",
  (select max(v.id) from listing_draft_versions v
    where v.workspace_id = d.workspace_id and v.draft_id = d.id) as "lastVersionId",
  array(select n.locale from (
      select distinct on (v.locale) v.locale, v.texts from listing_draft_versions v
      where v.workspace_id = d.workspace_id and v.draft_id = d.id
      order by v.locale, v.id desc
    ) n where n.texts <> '{}' order by n.locale) as locales`;

/** The current one first, then in the order in which they were created. */
export async function listDrafts(tx: Tx, workspaceId: number, appId: number): Promise<DraftRow[]> {
  const { rows } = await sql<Row<'list-drafts', DraftRow>>`/* list-drafts */
    select ${draftColumns} from listing_drafts d
    where d.workspace_id = ${workspaceId} and d.app_id = ${appId}
    order by d.is_current desc, d.id`.execute(tx);
  return rows;
}

export async function findDraft(
  tx: Tx,
  workspaceId: number,
  id: number,
): Promise<DraftRow | undefined> {
  const { rows } = await sql<Row<'find-draft', DraftRow>>`/* find-draft */
    select ${draftColumns} from listing_drafts d
    where d.workspace_id = ${workspaceId} and d.id = ${id}`.execute(tx);
  return rows[0];
}

export async function insertDraft(
  tx: Tx,
  workspaceId: number,
  draft: { appId: number; name: string; isCurrent: boolean; createdAt: Date },
): Promise<number> {
  const { id } = await tx
    .insertInto('listing_drafts')
    .values({
      workspace_id: workspaceId,
      app_id: draft.appId,
      name: draft.name,
      is_current: draft.isCurrent,
      created_at: draft.createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Copies the newest texts, not the versions before. */
export async function copyDraftTexts(
  tx: Tx,
  workspaceId: number,
  copy: { from: number; to: number; savedAt: Date; savedBy: number },
): Promise<void> {
  await sql`
    insert into listing_draft_versions (workspace_id, draft_id, locale, texts, saved_at, saved_by)
    select ${workspaceId}, ${copy.to}, n.locale, n.texts, ${copy.savedAt}, ${copy.savedBy} from (
      select distinct on (locale) locale, texts from listing_draft_versions
      where workspace_id = ${workspaceId} and draft_id = ${copy.from}
      order by locale, id desc
    ) n where n.texts <> '{}' order by n.locale`.execute(tx);
}

export async function renameDraft(
  tx: Tx,
  workspaceId: number,
  { id, name }: { id: number; name: string },
): Promise<void> {
  await tx
    .updateTable('listing_drafts')
    .set({ name })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

/** The other drafts of the app are changed first, because at most one is current. */
export async function makeDraftCurrent(
  tx: Tx,
  workspaceId: number,
  { id, appId }: { id: number; appId: number },
): Promise<void> {
  await tx
    .updateTable('listing_drafts')
    .set({ is_current: false })
    .where('workspace_id', '=', workspaceId)
    .where('app_id', '=', appId)
    .where('is_current', '=', true)
    .where('id', '<>', id)
    .execute();
  await tx
    .updateTable('listing_drafts')
    .set({ is_current: true })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();
}

export async function deleteDraft(tx: Tx, workspaceId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('listing_drafts')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
