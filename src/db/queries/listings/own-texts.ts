import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { StoreName } from '#stores/profiles.ts';
import { countrySpans, endOfOwnTexts, newestOwnDay } from '../followed-spans/followed-spans.ts';

export interface AppTexts {
  appId: number;
  store: StoreName;
  country: string;
  title: string | null;
  subtitle: string | null;
  summary: string | null;
  description: string | null;
}

const describedCharacters = 4_000;

/**
 * The newest texts of apps in countries from while they were followed there. Countries that were
 * never read are omitted.
 */
export async function listTextsOfApps(
  tx: Tx,
  workspaceId: number,
  shown: readonly { appId: number; country: string }[],
): Promise<AppTexts[]> {
  const { rows } = await sql<
    Row<'texts-of-apps', AppTexts, 'store' | 'country'>
  >`/* texts-of-apps */
    select a.id as "appId", l.store, w.country, s.fields->>'name' as title,
      s.fields->>'subtitle' as subtitle, s.fields->>'summary' as summary,
      left(s.fields->>'description', ${describedCharacters}::int) as description
    from unnest(${shown.map(({ appId }) => appId)}::int[],
      ${shown.map(({ country }) => country)}::text[]) as w(app_id, country)
    join apps a on a.workspace_id = ${workspaceId} and a.id = w.app_id
    join listings l on l.id = a.listing_id
    cross join lateral (select ${countrySpans(sql`w.country`)} as spans offset 0) f
    ${newestOwnDay(sql`a.listing_id`, sql`w.country`, sql`f.spans`)}
    cross join lateral (
      select fields from snapshots where listing_id = a.listing_id and country = w.country
      and taken_at < ${endOfOwnTexts(sql`f.spans`)} order by id desc limit 1
    ) s`.execute(tx);
  return rows;
}

/** The current keyword fields of apps, one for each locale. */
export async function listFieldsOfApps(
  tx: Tx,
  workspaceId: number,
  appIds: readonly number[],
): Promise<{ appId: number; normalized: string }[]> {
  const { rows } = await sql<Row<'fields-of-apps'>>`/* fields-of-apps */
    select distinct on (app_id, locale) app_id as "appId", normalized from keyword_fields
    where workspace_id = ${workspaceId} and app_id = any(${[...appIds]}::int[])
    order by app_id, locale, id desc`.execute(tx);
  return rows;
}
