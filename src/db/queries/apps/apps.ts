import { sql, type RawBuilder } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import { containsText } from '#db/contains-text.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { appSpans, endOfOwnTexts, newestOwnDay } from '../followed-spans/followed-spans.ts';
import { nameIn } from '../listings/listing-names.ts';
import type { ListingDay, SnapshotRow } from '../snapshots/snapshots.ts';

/** An app with the facts that its listing shows in the app's primary country. */
export interface AppRow {
  id: number;
  listingId: number;
  store: StoreName;
  storeAppId: string;
  bundleId: string | null;
  name: string | null;
  developer: string | null;
  iconUrl: string | null;
  primaryCountry: string;
  displayName: string | null;
  tags: string[];
  note: string | null;
  linkedAppId: number | null;
  /** Nothing from before this instant is shown. */
  createdAt: Date;
  /** The beginning as the workspace knows it: an import may give an earlier day. */
  trackedSince: Date;
  archivedAt: Date | null;
  purgeAt: Date | null;
  /** The newest snapshot's short fields; null before the first reading. */
  facts: unknown;
  rating: number | null;
  ratingCount: number | null;
  installs: bigint | null;
  readAt: Date | null;
}

export interface AppFilter {
  store?: StoreName | undefined;
  /** Part of a name or of the store's id, in lower case. */
  text?: string | undefined;
  tag?: string | undefined;
  archived: boolean;
}

const shownName = nameIn(sql`a.primary_country`);

const columns = sql`
  a.id, a.listing_id as "listingId", l.store, l.store_app_id as "storeAppId",
  l.bundle_id as "bundleId", ${shownName} as name, l.developer,
  l.icon_url as "iconUrl",
  a.primary_country as "primaryCountry", a.display_name as "displayName", a.tags, a.note,
  a.linked_app_id as "linkedAppId", a.created_at as "createdAt",
  coalesce(a.tracked_since, a.created_at) as "trackedSince", a.archived_at as "archivedAt",
  a.purge_at as "purgeAt", s.facts, d.rating, d.rating_count as "ratingCount", d.installs,
  d.read_at as "readAt"`;

/** The newest numbers and texts that were read in an app's primary country while it was live. */
const newestReading = sql`
  cross join lateral (select ${appSpans} as spans offset 0) f
  ${newestOwnDay(sql`a.listing_id`, sql`a.primary_country`, sql`f.spans`)}
  left join lateral (
    select id, country, language, taken_at, content_hash, fields,
      fields - array['summary', 'description', 'releaseNotes', 'screenshotUrls',
        'languages'] as facts
    from snapshots where listing_id = a.listing_id and country = a.primary_country
      and taken_at < ${endOfOwnTexts(sql`f.spans`)}
      order by id desc limit 1
  ) s on true`;

const source = sql`
  apps a
  join listings l on l.id = a.listing_id
  ${newestReading}`;

export async function findApp(
  tx: Tx,
  workspaceId: number,
  appId: number,
): Promise<AppRow | undefined> {
  const { rows } = await sql<Row<'find-app', AppRow, 'store'>>`
      select ${columns} from ${source}
      where a.workspace_id = ${workspaceId} and a.id = ${appId}`.execute(tx);
  return rows[0];
}

export async function findAppOfStore(
  tx: Tx,
  workspaceId: number,
  store: StoreName,
  storeAppId: string,
): Promise<AppRow | undefined> {
  const { rows } = await sql<Row<'find-app-of-store', AppRow, 'store'>>`
    select ${columns} from ${source}
    where a.workspace_id = ${workspaceId} and l.store = ${store}
      and l.store_app_id = ${storeAppId}`.execute(tx);
  return rows[0];
}

/**
 * The newest reading of an app's listing, with all of its texts; undefined without one. Before the
 * first reading of this workspace the texts are those that were known already, without a day.
 */
export async function findNewestReading(
  tx: Tx,
  workspaceId: number,
  appId: number,
): Promise<{ snapshot: SnapshotRow; day: ListingDay | undefined } | undefined> {
  const { rows } = await sql<
    Row<
      'find-newest-reading',
      SnapshotRow & { [Key in keyof ListingDay]: ListingDay[Key] | null },
      'id' | 'country' | 'takenAt' | 'contentHash'
    >
  >`
    select s.id::float8 as id, s.country, s.language,
      next_followed(f.spans, s.taken_at) as "takenAt", s.content_hash as "contentHash", s.fields,
      d.on_date as "onDate", d.rating, d.rating_count as "ratingCount", d.installs,
      d.read_at as "readAt"
    from apps a ${newestReading}
    where a.workspace_id = ${workspaceId} and a.id = ${appId} and s.id is not null`.execute(tx);
  const row = rows[0];
  if (row === undefined) return undefined;
  const { onDate, rating, ratingCount, installs, readAt, ...snapshot } = row;
  const isRead = onDate !== null && readAt !== null;
  return { snapshot, day: isRead ? { onDate, rating, ratingCount, installs, readAt } : undefined };
}

/** A page in the order in which the apps were added, and the total number of apps. */
export async function listApps(
  tx: Tx,
  workspaceId: number,
  page: AppFilter & { afterId: number; limit: number },
): Promise<{ rows: AppRow[]; total: number }> {
  const matches = matchesFilter(workspaceId, page);
  const { rows } = await sql<Row<'list-apps', AppRow, 'store'>>`
    select ${columns} from ${source} where ${matches} and a.id > ${page.afterId} order by a.id
      limit ${page.limit}`.execute(tx);
  // When the first page has all rows, no second query is needed to count them.
  if (page.afterId === 0 && rows.length < page.limit) return { rows, total: rows.length };
  const counted = await sql<
    Row<'count-listed-apps'>
  >`select count(*)::int as total from ${source} where ${matches}`.execute(tx);
  return { rows, total: counted.rows[0]!.total };
}

function matchesFilter(workspaceId: number, filter: AppFilter): RawBuilder<unknown> {
  const conditions = [
    sql`a.workspace_id = ${workspaceId}`,
    filter.archived ? sql`a.archived_at is not null` : sql`a.archived_at is null`,
  ];
  if (filter.store !== undefined) conditions.push(sql`l.store = ${filter.store}`);
  if (filter.tag !== undefined) conditions.push(sql`${filter.tag} = any(a.tags)`);
  if (filter.text !== undefined) {
    const texts = sql`
      concat_ws(E'\n', a.display_name, coalesce(s.facts->>'name', ${shownName}), l.developer,
        l.store_app_id)`;
    conditions.push(containsText(texts, filter.text));
  }
  return sql.join(conditions, sql` and `);
}

export interface AppCounts {
  appId: number;
  keywords: number;
  countries: number;
  /** Tracked keywords with a position from a check since `since`. */
  ranked: number;
}

export async function countKeywordsOfApps(
  tx: Tx,
  workspaceId: number,
  appIds: number[],
  since: string,
): Promise<Map<number, AppCounts>> {
  const { rows } = await sql<Row<'count-keywords-of-apps', AppCounts>>`
    select k.app_id as "appId", count(*)::int as keywords,
      count(distinct k.country)::int as countries,
      count(k.latest_position) filter (where not k.paused and k.latest_on >= ${since}::date)::int
        as ranked
    from keywords k
    where k.workspace_id = ${workspaceId} and k.app_id = any(${appIds}) and k.archived_at is null
    group by k.app_id`.execute(tx);
  return new Map(rows.map((row) => [row.appId, row]));
}

/** The workspace's live apps among listings of a store, by the store's id. */
export async function listTrackedIds(
  tx: Tx,
  workspaceId: number,
  store: StoreName,
  storeAppIds: string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<Row<'list-tracked-ids'>>`
    select a.id, l.store_app_id as "storeAppId" from listings l join apps a on a.listing_id = l.id
    where a.workspace_id = ${workspaceId} and l.store = ${store}
      and l.store_app_id = any(${storeAppIds}) and a.archived_at is null`.execute(tx);
  return new Map(rows.map((row) => [row.storeAppId, row.id]));
}

/** Undefined when the workspace already has the listing. */
export async function insertApp(
  tx: Tx,
  workspaceId: number,
  app: { listingId: number; primaryCountry: string; tags: string[]; createdAt: Date },
): Promise<number | undefined> {
  const row = await tx
    .insertInto('apps')
    .values({
      workspace_id: workspaceId,
      listing_id: app.listingId,
      primary_country: app.primaryCountry,
      tags: app.tags,
      created_at: app.createdAt,
      archived_spans: '[]',
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'listing_id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export interface LockedApp {
  id: number;
  listingId: number;
  archivedAt: Date | null;
  purgeAt: Date | null;
}

/**
 * Locks the app's row so that archiving, restoring and deleting are serialized. It does not lock
 * the key: a transaction that holds market locks may reference it, and must not wait here.
 */
export async function lockApp(
  tx: Tx,
  workspaceId: number,
  appId: number,
): Promise<LockedApp | undefined> {
  return tx
    .selectFrom('apps')
    .select(['id', 'listing_id as listingId', 'archived_at as archivedAt', 'purge_at as purgeAt'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', appId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * The app is neither archived nor deleted until the transaction ends. Transactions that add
 * keywords to it do not wait for one another here.
 */
export async function lockAppShared(tx: Tx, workspaceId: number, appId: number): Promise<void> {
  await tx
    .selectFrom('apps')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', appId)
    .forShare()
    .execute();
}

export interface AppUpdate {
  displayName?: string | null | undefined;
  tags?: string[] | undefined;
  note?: string | null | undefined;
  linkedAppId?: number | null | undefined;
}

export async function updateAppRow(
  tx: Tx,
  workspaceId: number,
  appId: number,
  change: AppUpdate,
): Promise<void> {
  const values = {
    ...(change.displayName === undefined ? {} : { display_name: change.displayName }),
    ...(change.tags === undefined ? {} : { tags: change.tags }),
    ...(change.note === undefined ? {} : { note: change.note }),
    ...(change.linkedAppId === undefined ? {} : { linked_app_id: change.linkedAppId }),
  };
  if (Object.keys(values).length === 0) return;
  await tx
    .updateTable('apps')
    .set(values)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', appId)
    .execute();
}

export async function updateAppArchived(
  tx: Tx,
  workspaceId: number,
  appId: number,
  archived: { at: Date; purgeAt: Date },
): Promise<void> {
  await tx
    .updateTable('apps')
    .set({ archived_at: archived.at, purge_at: archived.purgeAt })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', appId)
    .execute();
}

/** The instants between which an app was archived. */
export type ArchivedSpan = readonly [archivedAt: string, restoredAt: string];

/** Restores an archived app. `spans` are added to those of earlier restores. */
export async function updateAppRestored(
  tx: Tx,
  workspaceId: number,
  appId: number,
  spans: readonly ArchivedSpan[],
): Promise<void> {
  await sql`
    update apps set archived_at = null, purge_at = null,
      archived_spans = archived_spans || ${JSON.stringify(spans)}::jsonb
    where workspace_id = ${workspaceId} and id = ${appId}`.execute(tx);
}

export async function countApps(tx: Tx, workspaceId: number): Promise<number> {
  const { rows } = await sql<Row<'count-apps'>>`
    select count(*)::int as apps from apps where workspace_id = ${workspaceId}
      and archived_at is null`.execute(tx);
  return rows[0]!.apps;
}

export interface FollowedKeyword {
  id: number;
  marketId: number;
  depth: number;
  trackingPeriods: unknown;
  latestOn: string | null;
}

/** Markets of keywords that are neither archived nor paused. */
export async function listFollowedMarkets(
  tx: Tx,
  workspaceId: number,
  appId: number,
): Promise<number[]> {
  const rows = await tx
    .selectFrom('keywords')
    .select('market_id as id')
    .where('workspace_id', '=', workspaceId)
    .where('app_id', '=', appId)
    .where('archived_at', 'is', null)
    .where('paused', '=', false)
    .where('held', '=', false)
    .execute();
  return rows.map((row) => row.id);
}

/** Keywords that are neither archived nor paused, locked until the transaction ends. */
export async function lockFollowedKeywords(
  tx: Tx,
  workspaceId: number,
  appId: number,
): Promise<FollowedKeyword[]> {
  return tx
    .selectFrom('keywords')
    .select([
      'id',
      'market_id as marketId',
      'depth',
      'tracking_periods as trackingPeriods',
      'latest_on as latestOn',
    ])
    .where('workspace_id', '=', workspaceId)
    .where('app_id', '=', appId)
    .where('archived_at', 'is', null)
    .where('paused', '=', false)
    .where('held', '=', false)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

export async function saveTrackingPeriods(
  tx: Tx,
  workspaceId: number,
  keywords: { id: number; trackingPeriods: unknown }[],
): Promise<void> {
  await sql`
    update keywords k set tracking_periods = changed.tracking_periods
    from unnest(${keywords.map((keyword) => keyword.id)}::int[],
      ${keywords.map((keyword) => JSON.stringify(keyword.trackingPeriods))}::jsonb[])
        as changed(id, tracking_periods)
    where k.workspace_id = ${workspaceId} and k.id = changed.id`.execute(tx);
}
