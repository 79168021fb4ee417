import { sql, type RawBuilder } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** Inserts rows of an export into a workspace and returns new ids in the order of the rows. */
export interface ListingName {
  store: StoreName;
  storeAppId: string;
}

export interface ImportedApp extends ListingName {
  country: string;
  displayName: string | null;
  tags: string[];
  note: string | null;
  createdAt: string;
  trackedSince: string;
  archivedSpans: unknown;
  archivedAt: string | null;
  purgeAt: string | null;
}

/** Rows as a table, with their ordinal in `at`, which fixes the order of insertion. */
export function recordset(
  rows: readonly object[],
  columns: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    jsonb_to_recordset(${JSON.stringify(rows.map((row, at) => ({ ...row, at })))}::jsonb)
      as n(at int, ${columns})`;
}

/** Ids in the order in which the statement created the rows. */
export async function idsOf(tx: Tx, statement: RawBuilder<Row<'ids-of'>>): Promise<number[]> {
  return (await statement.execute(tx)).rows.map((row) => row.id);
}

export function insertImportedApps(
  tx: Tx,
  workspaceId: number,
  apps: ImportedApp[],
): Promise<number[]> {
  return idsOf(
    tx,
    sql`
    insert into apps (workspace_id, listing_id, primary_country, display_name, tags, note,
      created_at, tracked_since, archived_spans, archived_at, purge_at)
    select ${workspaceId}, l.id, n.country, n."displayName", n.tags, n.note,
      n."createdAt", n."trackedSince", n."archivedSpans", n."archivedAt", n."purgeAt"
    from ${recordset(
      apps,
      sql`store text, "storeAppId" text, country text, "displayName" text, tags text[], note text,
        "createdAt" timestamptz, "trackedSince" timestamptz, "archivedSpans" jsonb,
        "archivedAt" timestamptz, "purgeAt" timestamptz`,
    )} join listings l on l.store = n.store and l.store_app_id = n."storeAppId"
    order by n.at returning id::float8 as id`,
  );
}

export async function linkImportedApps(
  tx: Tx,
  workspaceId: number,
  links: { id: number; linkedAppId: number }[],
): Promise<void> {
  await sql`
    update apps a set linked_app_id = n."linkedAppId"
      from ${recordset(links, sql`id int, "linkedAppId" int`)}
    where a.workspace_id = ${workspaceId} and a.id = n.id`.execute(tx);
}

export interface ImportedKeyword {
  appId: number;
  phrase: string;
  country: string;
  device: string;
  depth: number;
  paused: boolean;
  favorite: boolean;
  tags: string[];
  note: string | null;
  trackingPeriods: unknown;
  createdAt: string;
  trackedSince: string;
  archivedAt: string | null;
  purgeAt: string | null;
}

/**
 * The markets exist already and are not locked here: their demand is refreshed at the end of the
 * import.
 */
export function insertImportedKeywords(
  tx: Tx,
  workspaceId: number,
  keywords: ImportedKeyword[],
): Promise<number[]> {
  return idsOf(
    tx,
    sql`
    insert into keywords (workspace_id, app_id, market_id, country, device, phrase, depth, paused,
      favorite, tags, note, tracking_periods, created_at, tracked_since, archived_at, purge_at)
    select ${workspaceId}, a.id, m.id, m.country, m.device, m.phrase, n.depth, n.paused,
      n.favorite, n.tags, n.note, n."trackingPeriods", n."createdAt",
      n."trackedSince", n."archivedAt", n."purgeAt"
    from ${recordset(
      keywords,
      sql`"appId" int, phrase text, country text, device text, depth smallint, paused boolean,
        favorite boolean, tags text[], note text, "trackingPeriods" jsonb,
        "createdAt" timestamptz, "trackedSince" timestamptz, "archivedAt" timestamptz,
        "purgeAt" timestamptz`,
    )} join apps a on a.workspace_id = ${workspaceId} and a.id = n."appId"
      join listings l on l.id = a.listing_id
      join markets m on m.store = l.store and m.country = n.country and m.device = n.device
        and m.phrase = n.phrase
    order by n.at returning id::float8 as id`,
  );
}

export interface ImportedCompetitor extends ListingName {
  appId: number;
  relationship: string | null;
  note: string | null;
  trackingPeriods: unknown;
  followedAt: string;
  createdAt: string;
  trackedSince: string;
  archivedSpans: unknown;
  archivedAt: string | null;
}

export function insertImportedCompetitors(
  tx: Tx,
  workspaceId: number,
  competitors: ImportedCompetitor[],
): Promise<number[]> {
  return idsOf(
    tx,
    sql`
    insert into competitors (workspace_id, app_id, listing_id, relationship, note, tracking_periods,
      followed_at, created_at, tracked_since, archived_spans, archived_at)
    select ${workspaceId}, n."appId", l.id, n.relationship, n.note, n."trackingPeriods",
      n."followedAt", n."createdAt", n."trackedSince", n."archivedSpans", n."archivedAt"
    from ${recordset(
      competitors,
      sql`store text, "storeAppId" text, "appId" int, relationship text, note text,
        "trackingPeriods" jsonb, "followedAt" timestamptz, "createdAt" timestamptz,
        "trackedSince" timestamptz, "archivedSpans" jsonb, "archivedAt" timestamptz`,
    )} join listings l on l.store = n.store and l.store_app_id = n."storeAppId"
    order by n.at returning id::float8 as id`,
  );
}

export async function insertImportedAnnotations(
  tx: Tx,
  workspaceId: number,
  annotations: {
    appId: number;
    date: string;
    text: string;
    keywordIds: number[];
    createdAt: string;
  }[],
): Promise<void> {
  await sql`
    insert into annotations (workspace_id, app_id, on_date, text, keyword_ids, created_at)
    select ${workspaceId}, n."appId", n.date, n.text, n."keywordIds", n."createdAt"
    from ${recordset(
      annotations,
      sql`"appId" int, date date, text text, "keywordIds" int[], "createdAt" timestamptz`,
    )} order by n.at`.execute(tx);
}

export async function insertImportedFields(
  tx: Tx,
  workspaceId: number,
  fields: { appId: number; locale: string; text: string; normalized: string; savedAt: string }[],
): Promise<void> {
  await sql`
    insert into keyword_fields (workspace_id, app_id, locale, text, normalized, saved_at)
    select ${workspaceId}, n."appId", n.locale, n.text, n.normalized, n."savedAt"
    from ${recordset(
      fields,
      sql`"appId" int, locale text, text text, normalized text, "savedAt" timestamptz`,
    )} order by n.at`.execute(tx);
}

export async function insertImportedMarks(
  tx: Tx,
  workspaceId: number,
  marks: {
    appId: number;
    country: string;
    storeReviewId: string;
    tags: string[];
    note: string | null;
    readAt: string | null;
  }[],
): Promise<void> {
  await sql`
    insert into review_marks (workspace_id, app_id, country, store_review_id, tags, note, read_at)
    select ${workspaceId}, n."appId", n.country, n."storeReviewId", n.tags, n.note, n."readAt"
    from ${recordset(
      marks,
      sql`"appId" int, country text, "storeReviewId" text, tags text[], note text,
        "readAt" timestamptz`,
    )} order by n.at`.execute(tx);
}
