import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { appSpans, competitorSpans, endOfSpan } from '../followed-spans/followed-spans.ts';
import type { ArchivedSpan } from '../apps/apps.ts';
import { followedListings } from '../listings/followed-listings.ts';
import { nameIn } from '../listings/listing-names.ts';

/** A competitor with the facts that its listing shows in the app's primary country. */
export interface CompetitorRow {
  id: number;
  appId: number;
  listingId: number;
  store: StoreName;
  storeAppId: string;
  name: string | null;
  developer: string | null;
  iconUrl: string | null;
  primaryCountry: string;
  relationship: string | null;
  note: string | null;
  trackingPeriods: unknown;
  /** When it was added for the first time. */
  followedAt: Date;
  archivedSpans: unknown;
  createdAt: Date;
  /** The workspace's own app with the same listing. */
  trackedAppId: number | null;
  /**
   * The newest reading while it was tracked, without the long fields. All others belong to other
   * workspaces.
   */
  facts: unknown;
  rating: number | null;
  ratingCount: number | null;
  installs: bigint | null;
  readAt: Date | null;
}

const source = sql`
  competitors c
  join apps a on a.id = c.app_id
  join listings l on l.id = c.listing_id
  left join apps mine on mine.workspace_id = c.workspace_id and mine.listing_id = c.listing_id
    and mine.archived_at is null
  cross join lateral (select ${appSpans} * ${competitorSpans} as spans offset 0) f
  left join lateral (
    select rating, rating_count, installs, read_at from listing_days
    where listing_id = c.listing_id and country = a.primary_country and f.spans @> read_at
      order by on_date desc limit 1
  ) d on true
  left join lateral (
    select fields - array['summary', 'description', 'releaseNotes', 'screenshotUrls',
      'languages'] as facts from snapshots
    where listing_id = c.listing_id and country = a.primary_country
      and taken_at < ${endOfSpan(sql`f.spans`, sql`d.read_at`)}
      order by id desc limit 1
  ) s on true`;

/**
 * The live competitors of an app in the order in which they were added: all of them, or those of
 * `ids`.
 */
export async function listCompetitors(
  tx: Tx,
  workspaceId: number,
  appId: number,
  ids: number[] | null = null,
): Promise<CompetitorRow[]> {
  const { rows } = await sql<Row<'competitors', CompetitorRow, 'store'>>`/* competitors */
    select c.id, c.app_id as "appId", c.listing_id as "listingId", l.store,
      l.store_app_id as "storeAppId", ${nameIn(sql`a.primary_country`)} as name, l.developer,
      l.icon_url as "iconUrl",
      a.primary_country as "primaryCountry", c.relationship, c.note,
      c.tracking_periods as "trackingPeriods", c.followed_at as "followedAt",
      c.archived_spans as "archivedSpans", coalesce(c.tracked_since, c.created_at) as "createdAt",
      mine.id as "trackedAppId", s.facts, d.rating, d.rating_count as "ratingCount",
      d.installs, d.read_at as "readAt"
    from ${source}
    where c.workspace_id = ${workspaceId} and c.app_id = ${appId} and c.archived_at is null
      and (${ids}::int[] is null or c.id = any(${ids}))
    order by c.id`.execute(tx);
  return rows;
}

export interface KnownCompetitor {
  id: number;
  listingId: number;
  trackingPeriods: unknown;
  archivedAt: Date | null;
}

export interface LockedCompetitor extends Omit<KnownCompetitor, 'archivedAt'> {
  relationship: string | null;
  note: string | null;
}

/** Includes archived competitors, which are restored under their id. */
export async function findCompetitorOfStore(
  tx: Tx,
  workspaceId: number,
  appId: number,
  storeAppId: string,
): Promise<KnownCompetitor | undefined> {
  const { rows } = await sql<Row<'find-competitor-of-store', KnownCompetitor>>`
    select c.id, c.listing_id as "listingId", c.tracking_periods as "trackingPeriods",
      c.archived_at as "archivedAt"
    from competitors c join listings l on l.id = c.listing_id
    where c.workspace_id = ${workspaceId} and c.app_id = ${appId}
      and l.store_app_id = ${storeAppId}`.execute(tx);
  return rows[0];
}

/** A live competitor, locked until the transaction ends. */
export async function lockCompetitor(
  tx: Tx,
  workspaceId: number,
  appId: number,
  id: number,
): Promise<LockedCompetitor | undefined> {
  const { rows } = await sql<Row<'lock-competitor', LockedCompetitor>>`
    select id, listing_id as "listingId", tracking_periods as "trackingPeriods", relationship, note
    from competitors
    where workspace_id = ${workspaceId} and app_id = ${appId} and id = ${id} and archived_at is null
      for no key update`.execute(tx);
  return rows[0];
}

export async function countCompetitors(
  tx: Tx,
  workspaceId: number,
  appId: number,
): Promise<number> {
  const { rows } = await sql<Row<'count-competitors'>>`
    select count(*)::int as count from competitors
      where workspace_id = ${workspaceId} and app_id = ${appId} and archived_at is null`.execute(
    tx,
  );
  return rows[0]!.count;
}

/**
 * Inserts the competitor, or restores it under its old id; `archivedSpans` are then added to those
 * of earlier restores. An omitted relationship stays.
 */
export async function upsertCompetitor(
  tx: Tx,
  workspaceId: number,
  competitor: {
    appId: number;
    listingId: number;
    relationship: string | null;
    trackingPeriods: unknown;
    archivedSpans: readonly ArchivedSpan[];
    now: Date;
  },
): Promise<number> {
  const trackingPeriods = JSON.stringify(competitor.trackingPeriods);
  const archivedSpans = JSON.stringify(competitor.archivedSpans);
  const { rows } = await sql<Row<'upsert-competitor'>>`
    insert into competitors as c (workspace_id, app_id, listing_id, relationship, tracking_periods,
      archived_spans, followed_at, created_at)
    values (${workspaceId}, ${competitor.appId}, ${competitor.listingId},
      ${competitor.relationship}, ${trackingPeriods}::jsonb, ${archivedSpans}::jsonb,
      ${competitor.now}, ${competitor.now})
    on conflict (app_id, listing_id) do update
      set archived_at = null, tracking_periods = excluded.tracking_periods,
        archived_spans = c.archived_spans || excluded.archived_spans,
        relationship = coalesce(excluded.relationship, c.relationship)
    returning id`.execute(tx);
  return rows[0]!.id;
}

export interface CompetitorUpdate {
  relationship?: string | null | undefined;
  note?: string | null | undefined;
}

/** An undefined field stays as it is. */
export async function updateCompetitorRow(
  tx: Tx,
  workspaceId: number,
  id: number,
  change: CompetitorUpdate,
): Promise<void> {
  await sql`
    update competitors set
      relationship = case when ${change.relationship !== undefined}::boolean
        then ${change.relationship ?? null}::text else relationship end,
      note = case when ${change.note !== undefined}::boolean then ${change.note ?? null}::text
        else note end
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

export async function archiveCompetitor(
  tx: Tx,
  workspaceId: number,
  id: number,
  archived: { at: Date; trackingPeriods: unknown },
): Promise<void> {
  await sql`
    update competitors set archived_at = ${archived.at},
      tracking_periods = ${JSON.stringify(archived.trackingPeriods)}::jsonb
    where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/**
 * Listings of an app's live competitors. Their demand must be refreshed once the app is deleted.
 */
export async function listCompetitorListings(
  tx: Tx,
  workspaceId: number,
  appId: number,
): Promise<number[]> {
  const { rows } = await sql<Row<'list-competitor-listings'>>`
    select listing_id as id from competitors where workspace_id = ${workspaceId}
      and app_id = ${appId} and archived_at is null`.execute(tx);
  return rows.map((row) => row.id);
}

export interface ComparedSnapshot {
  listingId: number;
  id: number;
  country: string;
  language: string | null;
  takenAt: Date;
  contentHash: Buffer;
  fields: unknown;
  onDate: string;
  rating: number | null;
  ratingCount: number | null;
  installs: bigint | null;
  readAt: Date;
}

/**
 * The newest readings of the app's listing and of its competitors' in a country, made while this
 * workspace followed the listing there.
 */
export async function listComparedSnapshots(
  tx: Tx,
  workspaceId: number,
  { appId, country }: { appId: number; country: string },
): Promise<Map<number, ComparedSnapshot>> {
  const { rows } = await sql<Row<'compared-snapshots', ComparedSnapshot>>`/* compared-snapshots */
    select w.listing_id as "listingId", s.id::float8 as id, s.country, s.language,
      s.taken_at as "takenAt",
      s.content_hash as "contentHash", s.fields,
      d.on_date as "onDate", d.rating, d.rating_count as "ratingCount", d.installs,
        d.read_at as "readAt"
    from ${followedListings(workspaceId, { appId })} as w
    join lateral (
      select * from listing_days where listing_id = w.listing_id and country = ${country}
        and w.spans @> read_at order by on_date desc limit 1
    ) d on true
    join lateral (select * from snapshots where listing_id = w.listing_id and country = ${country}
      and taken_at < ${endOfSpan(sql`w.spans`, sql`d.read_at`)} order by id desc limit 1) s on true
    where w.country = ${country}`.execute(tx);
  return new Map(rows.map((row) => [row.listingId, row]));
}
