import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../database.ts';
import { followedListings, type FollowedFilter } from './followed-listings.ts';

export interface SnapshotRow {
  id: number;
  country: string;
  language: string | null;
  takenAt: Date;
  contentHash: Buffer;
  /** As JSON gives it back: `sizeBytes` is its digits. */
  fields: unknown;
}

export interface ListingDay {
  onDate: string;
  rating: number | null;
  ratingCount: number | null;
  installs: bigint | null;
  readAt: Date;
}

export async function findNewestSnapshot(tx: Tx, listingId: number, country: string): Promise<SnapshotRow | undefined> {
  return tx
    .selectFrom('snapshots')
    .select(['id', 'country', 'language', 'taken_at as takenAt', 'content_hash as contentHash', 'fields'])
    .where('listing_id', '=', listingId)
    .where('country', '=', country)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function insertSnapshot(
  tx: Tx,
  row: { listingId: number; country: string; language: string | null; takenAt: Date; contentHash: Buffer; fields: string },
): Promise<number> {
  const { id } = await tx
    .insertInto('snapshots')
    .values({
      listing_id: row.listingId,
      country: row.country,
      language: row.language,
      taken_at: row.takenAt,
      content_hash: row.contentHash,
      fields: row.fields,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** True when the listing's page was read on a day before `day` on which there was a snapshot to hold it against. */
export async function hasEarlierPage(tx: Tx, listingId: number, country: string, day: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (
      select from rating_days where listing_id = ${listingId} and country = ${country} and on_date < ${day} and on_date > (
        select min(taken_at at time zone 'UTC')::date from snapshots where listing_id = ${listingId} and country = ${country}
      )
    ) as has`.execute(tx);
  return rows[0]!.has;
}

/** Adds what a snapshot lacked when it was taken; for the system role. */
export async function updateSnapshotFields(tx: Tx, row: { id: number; contentHash: Buffer; fields: string }): Promise<void> {
  await tx.updateTable('snapshots').set({ content_hash: row.contentHash, fields: row.fields }).where('id', '=', row.id).execute();
}

export async function findNewestListingDay(tx: Tx, listingId: number, country: string): Promise<ListingDay | undefined> {
  return tx
    .selectFrom('listing_days')
    .select(['on_date as onDate', 'rating', 'rating_count as ratingCount', 'installs', 'read_at as readAt'])
    .where('listing_id', '=', listingId)
    .where('country', '=', country)
    .orderBy('on_date', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The day's last reading stands. */
export async function upsertListingDay(tx: Tx, row: ListingDay & { listingId: number; country: string; priceMicros: number | null }): Promise<void> {
  await sql`
    insert into listing_days (listing_id, country, on_date, rating, rating_count, installs, price_micros, read_at)
    values (${row.listingId}, ${row.country}, ${row.onDate}, ${row.rating}, ${row.ratingCount}, ${row.installs}, ${row.priceMicros}, ${row.readAt})
    on conflict (listing_id, country, on_date) do update
    set rating = excluded.rating, rating_count = excluded.rating_count, installs = excluded.installs,
      price_micros = excluded.price_micros, read_at = excluded.read_at`.execute(tx);
}

/** A snapshot as a workspace that follows the listing may see it. */
export interface FollowedSnapshot {
  id: number;
  appId: number;
  competitorId: number | null;
  listingId: number;
  country: string;
  language: string | null;
  /** When it was first read, or since when the workspace follows the listing, whichever is later. */
  takenAt: Date;
  /** When the next one was taken. */
  heldUntil: Date | null;
  since: Date;
  name: string | null;
  version: string | null;
  /** Fields whose change was found with it, as far as the workspace was there. */
  changed: string[];
}

export interface SnapshotFilter extends FollowedFilter {
  ids?: number[] | undefined;
  country?: string | undefined;
  language?: string | undefined;
  /** Still standing here. */
  from?: Date | undefined;
  /** Taken before. */
  until?: Date | undefined;
}

/** Newest first. */
export async function listFollowedSnapshots(
  tx: Tx,
  workspaceId: number,
  filter: SnapshotFilter,
  page: { after: { at: Date; id: number } | null; limit: number },
): Promise<FollowedSnapshot[]> {
  const { at = null, id = null } = page.after ?? {};
  const { rows } = await sql<FollowedSnapshot>`
    select s.id, s.app_id as "appId", s.competitor_id as "competitorId", s.listing_id as "listingId", s.country, s.language, s.shown_at as "takenAt",
      s.next_at as "heldUntil", s.since, s.fields->>'name' as name, s.fields->>'version' as version,
      array(select c.field from changes c where c.snapshot_id = s.id and c.previous_at >= s.since order by c.id) as changed
    from ${followedSnapshots(workspaceId, filter)} as s
    where ${at}::timestamptz is null or (s.shown_at, s.id) < (${at}::timestamptz, ${id}::int)
    order by s.shown_at desc, s.id desc limit ${page.limit}`.execute(tx);
  return rows;
}

export async function countFollowedSnapshots(tx: Tx, workspaceId: number, filter: SnapshotFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${followedSnapshots(workspaceId, filter)} as s`.execute(tx);
  return rows[0]!.count;
}

/** The texts of snapshots, as stored. */
export async function listSnapshotFields(tx: Tx, ids: readonly number[]): Promise<Map<number, unknown>> {
  const { rows } = await sql<{ id: number; fields: unknown }>`select id, fields from snapshots where id = any(${[...ids]}::int[])`.execute(tx);
  return new Map(rows.map((row) => [row.id, row.fields]));
}

/** The listing's numbers of a day, if they were read from `since` on. */
export async function findListingDay(
  tx: Tx,
  day: { listingId: number; country: string; onDate: string; since: Date },
): Promise<Omit<ListingDay, 'onDate'> | undefined> {
  return tx
    .selectFrom('listing_days')
    .select(['rating', 'rating_count as ratingCount', 'installs', 'read_at as readAt'])
    .where('listing_id', '=', day.listingId)
    .where('country', '=', day.country)
    .where('on_date', '=', day.onDate)
    .where('read_at', '>=', day.since)
    .executeTakeFirst();
}

/** What stood when the workspace began to follow the listing counts once a reading since then has found it so. */
function followedSnapshots(workspaceId: number, filter: SnapshotFilter): RawBuilder<unknown> {
  const { ids = null, country = null, language = null, from = null, until = null } = filter;
  return sql`(
    select f.app_id, f.competitor_id, f.since, t.*, greatest(t.taken_at, f.since) as shown_at
    from ${followedListings(workspaceId, filter)} as f
    join lateral (
      select s.*, (
        select n.taken_at from snapshots n where n.listing_id = s.listing_id and n.country = s.country and n.id > s.id order by n.id limit 1
      ) as next_at
      from snapshots s where s.listing_id = f.listing_id and s.country = f.country and (${ids}::int[] is null or s.id = any(${ids}))
    ) t on true
    where (
        t.taken_at >= f.since
        or exists (
          select from listing_days d
          where d.listing_id = t.listing_id and d.country = t.country and d.read_at >= f.since and (t.next_at is null or d.read_at < t.next_at)
        )
      )
      and (${country}::text is null or t.country = ${country}) and (${language}::text is null or lower(t.language) = lower(${language}))
      and (${from}::timestamptz is null or t.next_at is null or t.next_at >= ${from})
      and (${until}::timestamptz is null or greatest(t.taken_at, f.since) < ${until})
  )`;
}
