import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { isOwnScore } from '../suggestions/suggestions.ts';

export interface FieldVersion {
  id: number;
  locale: string;
  text: string;
  normalized: string;
  savedAt: Date;
}

/** The current version; undefined before the first. */
export async function findFieldVersion(
  tx: Tx,
  workspaceId: number,
  appId: number,
  locale: string,
): Promise<FieldVersion | undefined> {
  return tx
    .selectFrom('keyword_fields')
    .select(['id', 'locale', 'text', 'normalized', 'saved_at as savedAt'])
    .where('workspace_id', '=', workspaceId)
    .where('app_id', '=', appId)
    .where('locale', '=', locale)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The current version of each locale. */
export async function listNewestFields(
  tx: Tx,
  workspaceId: number,
  appId: number,
): Promise<{ locale: string; normalized: string }[]> {
  return tx
    .selectFrom('keyword_fields')
    .distinctOn('locale')
    .select(['locale', 'normalized'])
    .where('workspace_id', '=', workspaceId)
    .where('app_id', '=', appId)
    .orderBy('locale')
    .orderBy('id', 'desc')
    .limit(200)
    .execute();
}

export async function insertFieldVersion(
  tx: Tx,
  workspaceId: number,
  version: {
    appId: number;
    locale: string;
    text: string;
    normalized: string;
    savedAt: Date;
    savedBy: number;
  },
): Promise<void> {
  await tx
    .insertInto('keyword_fields')
    .values({
      workspace_id: workspaceId,
      app_id: version.appId,
      locale: version.locale,
      text: version.text,
      normalized: version.normalized,
      saved_at: version.savedAt,
      saved_by: version.savedBy,
    })
    .execute();
}

/**
 * Newest first, each with the normalized text of the previous version in its locale ('' for the
 * first), and the total.
 */
export async function listFieldVersions(
  tx: Tx,
  workspaceId: number,
  page: { appId: number; locale: string | null; beforeId: number; limit: number },
): Promise<{ rows: (FieldVersion & { previous: string })[]; total: number }> {
  const { rows } = await sql<
    Row<'list-field-versions', FieldVersion & { previous: string; total: number }>
  >`
    select * from (
      select id, locale, text, normalized, saved_at as "savedAt",
        coalesce(lag(normalized) over (partition by locale order by id), '') as previous,
        (count(*) over ())::int as total
      from keyword_fields
      where workspace_id = ${workspaceId} and app_id = ${page.appId}
        and (${page.locale}::text is null or locale = ${page.locale})
    ) version
    where id < ${page.beforeId} order by id desc limit ${page.limit}`.execute(tx);
  return { rows: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
}

export interface FieldKeyword {
  id: number;
  phrase: string;
  latestPosition: number | null;
  traffic: number | null;
  difficulty: number | null;
}

/** The live keywords of an app in a country on a device, those with the most traffic first. */
export async function listFieldKeywords(
  tx: Tx,
  workspaceId: number,
  where: { appId: number; country: string; device: string },
): Promise<FieldKeyword[]> {
  const { rows } = await sql<Row<'list-field-keywords', FieldKeyword>>`
    select k.id, k.phrase, k.latest_position as "latestPosition", s.traffic, s.difficulty
    from keywords k left join market_scores s on s.market_id = k.market_id and ${isOwnScore}
    where k.workspace_id = ${workspaceId} and k.app_id = ${where.appId}
      and k.country = ${where.country} and k.device = ${where.device} and k.archived_at is null
    order by s.traffic desc nulls last, k.id`.execute(tx);
  return rows;
}
