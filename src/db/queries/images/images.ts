import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { ImageKind, ImageType, StoreName } from '#stores/profiles.ts';

/** A picture of a store, in the size of its kind. */
export interface ImageKey {
  store: StoreName;
  kind: ImageKind;
  /** The result of `imageIdentityOf`. */
  identity: string;
}

export interface FoundImage {
  id: bigint;
  isDue: boolean;
  usedOn: string;
  hash: Buffer | null;
  type: ImageType | null;
  bytes: Buffer | null;
}

export async function findImage(
  db: Db | Tx,
  { store, kind, identity }: ImageKey,
): Promise<FoundImage | undefined> {
  const { rows } = await sql<Row<'find-image', FoundImage, 'type'>>`/* find-image */
    select s.id, s.due_at is not null as "isDue", s.used_on as "usedOn", i.hash, i.type, i.bytes
    from image_sources s left join images i on i.hash = s.image_hash
    where s.store = ${store} and s.kind = ${kind} and s.identity = ${identity}`.execute(db);
  return rows[0];
}

/** Somebody looks at a picture: it is kept, and fetched before others if it is due. */
export async function markImageUsed(db: Db | Tx, id: bigint, day: string): Promise<void> {
  await sql`/* mark-image-used */
    update image_sources set used_on = greatest(used_on, ${day}::date),
      priority = case when due_at is null then priority else 0 end
    where id = ${id}`.execute(db);
}

/**
 * Adds a picture that a workspace looks at. False when the workspace has added `max` on this day.
 */
export async function requestImage(
  db: Db | Tx,
  workspaceId: number,
  { store, kind, identity }: ImageKey,
  { now, day, max }: { now: Date; day: string; max: number },
): Promise<boolean> {
  const { rows } = await sql<Row<'request-image'>>`/* request-image */
    with earlier as (
      select count(*) as requests from image_sources
      where requested_by = ${workspaceId} and created_on = ${day}::date
    ), added as (
      insert into image_sources (store, kind, identity, requested_by, priority, created_on,
        used_on, due_at)
      select ${store}, ${kind}, ${identity}, ${workspaceId}, 0, ${day}::date, ${day}::date, ${now}
      from earlier where requests < ${max}::int
      on conflict (store, kind, identity) do nothing
    )
    select requests < ${max}::int as "isWithinLimit" from earlier`.execute(db);
  return rows[0]!.isWithinLimit === true;
}

export interface SnapshotPictures {
  snapshotId: bigint;
  listingId: number;
  store: StoreName;
  iconUrl: string | null;
  screenshotUrls: string[] | null;
}

/** Snapshots whose pictures are not noted yet, locked until the transaction ends. */
export async function takeSnapshotsToPicture(tx: Tx, limit: number): Promise<SnapshotPictures[]> {
  const { rows } = await sql<
    Row<'take-snapshots-to-picture', SnapshotPictures, 'store' | 'screenshotUrls'>
  >`/* take-snapshots-to-picture */
    with taken as (
      delete from snapshots_to_picture where snapshot_id in (
        select snapshot_id from snapshots_to_picture order by snapshot_id desc limit ${limit}
        for update skip locked
      ) returning snapshot_id
    )
    select s.id as "snapshotId", s.listing_id as "listingId", l.store,
      s.fields->>'iconUrl' as "iconUrl", s.fields->'screenshotUrls' as "screenshotUrls"
    from taken t join snapshots s on s.id = t.snapshot_id
    join listings l on l.id = s.listing_id`.execute(tx);
  return rows;
}

export interface NewImageSource extends ImageKey {
  listingId: number;
  priority: number;
}

/** Adds pictures of listings. A known picture belongs to the listing from now on. */
export async function addImageSources(
  tx: Tx,
  sources: readonly NewImageSource[],
  { now, day }: { now: Date; day: string },
): Promise<void> {
  const column = <Key extends keyof NewImageSource>(key: Key) => sources.map((one) => one[key]);
  await sql`/* add-image-sources */
    insert into image_sources as s (store, kind, identity, listing_id, priority, created_on,
      used_on, due_at)
    select store, kind, identity, min(listing_id), min(priority), ${day}::date, ${day}::date, ${now}
    from unnest(${column('store')}::text[], ${column('kind')}::text[],
      ${column('identity')}::text[], ${column('listingId')}::int[],
      ${column('priority')}::smallint[]) as a(store, kind, identity, listing_id, priority)
    group by store, kind, identity order by store, kind, identity
    on conflict (store, kind, identity) do update set listing_id = excluded.listing_id
    where s.listing_id is null`.execute(tx);
}

export interface DueImage extends ImageKey {
  id: bigint;
  attempts: number;
}

/**
 * No picture waits longer for its next attempt. One that is due later was written by a clock that
 * was ahead, and is due.
 */
const longestWaitMs = 25 * 3_600_000;

/** Takes the next pictures of a store for as long as a lease. The attempt counts when it fails. */
export async function takeDueImages(
  db: Db,
  store: StoreName,
  { now, leasedUntil, limit, maxPriority }: TakeOptions,
): Promise<DueImage[]> {
  const latest = new Date(now.getTime() + longestWaitMs);
  const first = (isDue: RawBuilder<unknown>) => sql`
    select id, priority, due_at from (
      select id, priority, due_at from image_sources
      where store = ${store} and ${isDue} and priority <= ${maxPriority}::int
      order by priority, due_at limit ${limit} for update skip locked
    ) taken`;
  const { rows } = await sql<
    Row<'take-due-images', DueImage, 'store' | 'kind'>
  >`/* take-due-images */
    update image_sources s set due_at = ${leasedUntil} from (
      select id from (
        ${first(sql`due_at <= ${now}`)} union all ${first(sql`due_at > ${latest}`)}
      ) either
      order by priority, due_at limit ${limit}
    ) due
    where s.id = due.id
    returning s.id, s.store, s.kind, s.identity, s.attempts`.execute(db);
  return rows;
}

interface TakeOptions {
  now: Date;
  leasedUntil: Date;
  limit: number;
  /** Only pictures of this priority and before. */
  maxPriority: number;
}

export interface StoredImage {
  hash: Buffer;
  type: ImageType;
  width: number;
  height: number;
  bytes: Buffer;
}

export async function saveImage(tx: Tx, sourceId: bigint, image: StoredImage): Promise<void> {
  const { hash, type, width, height, bytes } = image;
  await sql`/* insert-image */
    insert into images (hash, type, width, height, bytes)
    values (${hash}, ${type}, ${width}, ${height}, ${bytes})
    on conflict (hash) do nothing`.execute(tx);
  await sql`/* complete-image-source */
    update image_sources set image_hash = ${hash}, due_at = null, last_marker = null
    where id = ${sourceId}`.execute(tx);
}

/** `retryAt` null gives the picture up. */
export async function rescheduleImage(
  db: Db,
  sourceId: bigint,
  failure: { marker: string | null; attempts: number; retryAt: Date | null },
): Promise<void> {
  await sql`/* reschedule-image */
    update image_sources set due_at = ${failure.retryAt}, attempts = ${failure.attempts},
      last_marker = ${failure.marker}
    where id = ${sourceId}`.execute(db);
}

/**
 * Deletes up to a thousand sources that nobody has looked at since `before`, except those of
 * listings that somebody tracks.
 */
export async function purgeImageSources(tx: Tx, before: string): Promise<number> {
  const { rows } = await sql<Row<'purge-image-sources'>>`/* purge-image-sources */
    with old as (
      select id from image_sources s
      where used_on < ${before}::date and (listing_id is null or not exists (
        select from listing_schedule l where l.listing_id = s.listing_id and l.active))
      order by used_on limit 1000 for update skip locked
    ), gone as (
      delete from image_sources where id in (select id from old) returning image_hash
    ), unused as (
      delete from images i using (select distinct image_hash from gone) g
      where i.hash = g.image_hash and not exists (
        select from image_sources s where s.image_hash = i.hash and s.id not in (
          select id from old))
    )
    select count(*)::int as count from gone`.execute(tx);
  return rows[0]!.count ?? 0;
}
