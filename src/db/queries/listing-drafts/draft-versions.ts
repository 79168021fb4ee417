import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { followedSnapshots } from '../snapshots/followed-snapshots.ts';

export interface DraftVersionRow {
  id: number;
  locale: string;
  /** Validated when it was saved. */
  texts: unknown;
  savedAt: Date;
  savedBy: number | null;
}

/** The newest version of each locale, or of one; a version without texts removed its locale. */
export async function listNewestVersions(
  tx: Tx,
  workspaceId: number,
  { draftId, locale = null }: { draftId: number; locale?: string | null },
): Promise<DraftVersionRow[]> {
  const { rows } = await sql<
    Row<'newest-draft-versions', DraftVersionRow>
  >`/* newest-draft-versions */
    select distinct on (locale) id, locale, texts, saved_at as "savedAt", saved_by as "savedBy"
    from listing_draft_versions
    where workspace_id = ${workspaceId} and draft_id = ${draftId}
      and (${locale}::text is null or locale = ${locale})
    order by locale, id desc`.execute(tx);
  return rows;
}

export async function listDraftVersions(
  tx: Tx,
  workspaceId: number,
  page: { draftId: number; locale: string | null; beforeId: number; limit: number },
): Promise<{ rows: DraftVersionRow[]; total: number }> {
  const { rows } = await sql<Row<'draft-versions', DraftVersionRow>>`/* draft-versions */
    select id, locale, texts, saved_at as "savedAt", saved_by as "savedBy"
    from listing_draft_versions
    where workspace_id = ${workspaceId} and draft_id = ${page.draftId}
      and (${page.locale}::text is null or locale = ${page.locale}) and id < ${page.beforeId}
    order by id desc limit ${page.limit}`.execute(tx);
  const { rows: counts } = await sql<Row<'count-draft-versions'>>`/* count-draft-versions */
    select count(*)::int as count from listing_draft_versions
    where workspace_id = ${workspaceId} and draft_id = ${page.draftId}
      and (${page.locale}::text is null or locale = ${page.locale})`.execute(tx);
  return { rows, total: counts[0]!.count };
}

export async function insertDraftVersion(
  tx: Tx,
  workspaceId: number,
  version: { draftId: number; locale: string; texts: object; savedAt: Date; savedBy: number },
): Promise<void> {
  await tx
    .insertInto('listing_draft_versions')
    .values({
      workspace_id: workspaceId,
      draft_id: version.draftId,
      locale: version.locale,
      texts: JSON.stringify(version.texts),
      saved_at: version.savedAt,
      saved_by: version.savedBy,
    })
    .execute();
}

export interface LiveTextsRow {
  country: string;
  /** The language of the request to the store; null when it had none. */
  language: string | null;
  /** Of the first reading, or of the beginning of tracking, whichever is later. */
  takenAt: Date;
  title: string | null;
  subtitle: string | null;
  summary: string | null;
  description: string | null;
  whatsNew: string | null;
}

const maxCountries = 200;

/** The newest texts of an app's listing that this workspace may see, by tracked country. */
export async function listLiveTexts(
  tx: Tx,
  workspaceId: number,
  appId: number,
): Promise<LiveTextsRow[]> {
  const filter = { appId, scope: 'own' } as const;
  const { rows } = await sql<Row<'live-texts', LiveTextsRow, 'takenAt'>>`/* live-texts */
    select s.country, s.language, s.shown_at as "takenAt", s.fields->>'name' as title,
      s.fields->>'subtitle' as subtitle, s.fields->>'summary' as summary,
      s.fields->>'description' as description, s.fields->>'releaseNotes' as "whatsNew"
    from (
      select distinct on (f.country) f.* from ${followedSnapshots(workspaceId, filter)} as f
      order by f.country, f.id desc
    ) s join apps a on a.workspace_id = ${workspaceId} and a.id = s.app_id
    order by (s.country = a.primary_country) desc, s.country limit ${maxCountries}`.execute(tx);
  return rows;
}
