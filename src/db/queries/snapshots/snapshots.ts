import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface SnapshotRow {
  id: number;
  country: string;
  language: string | null;
  takenAt: Date;
  contentHash: Buffer;
  /** As JSON returns it: `sizeBytes` is a string of digits. */
  fields: unknown;
}

export interface ListingDay {
  onDate: string;
  rating: number | null;
  ratingCount: number | null;
  installs: bigint | null;
  readAt: Date;
}

export async function findNewestSnapshot(
  tx: Tx,
  listingId: number,
  country: string,
): Promise<SnapshotRow | undefined> {
  const { rows } = await sql<Row<'find-newest-snapshot', SnapshotRow>>`
    select s.id::float8 as id, s.country, s.language, s.taken_at as "takenAt",
      s.content_hash as "contentHash", s.fields
    from snapshots s where s.listing_id = ${listingId} and s.country = ${country}
    order by s.id desc limit 1`.execute(tx);
  return rows[0];
}

export async function insertSnapshot(
  tx: Tx,
  row: {
    listingId: number;
    country: string;
    language: string | null;
    takenAt: Date;
    contentHash: Buffer;
    fields: string;
  },
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
  return Number(id);
}

/**
 * True when the subtitle of a page that was read before is known: a snapshot has one, which only a
 * page can have added, or a page of a day before `day` had a snapshot to add it to and had none.
 */
export async function isSubtitleKnown(
  tx: Tx,
  listingId: number,
  country: string,
  day: string,
): Promise<boolean> {
  const { rows } = await sql<Row<'is-subtitle-known'>>`
    select exists (
      select from snapshots where listing_id = ${listingId} and country = ${country}
        and fields->>'subtitle' is not null
    ) or exists (
      select from rating_days where listing_id = ${listingId} and country = ${country}
        and on_date < ${day} and on_date > (
        select min(taken_at at time zone 'UTC')::date from snapshots
          where listing_id = ${listingId} and country = ${country}
      )
    ) as known`.execute(tx);
  return rows[0]!.known;
}

/** Adds fields that a snapshot lacked when it was taken; for the system role. */
export async function updateSnapshotFields(
  tx: Tx,
  row: { id: number; contentHash: Buffer; fields: string },
): Promise<void> {
  await tx
    .updateTable('snapshots')
    .set({ content_hash: row.contentHash, fields: row.fields })
    .where('id', '=', BigInt(row.id))
    .execute();
}

export async function findNewestListingDay(
  tx: Tx,
  listingId: number,
  country: string,
): Promise<ListingDay | undefined> {
  return tx
    .selectFrom('listing_days')
    .select([
      'on_date as onDate',
      'rating',
      'rating_count as ratingCount',
      'installs',
      'read_at as readAt',
    ])
    .where('listing_id', '=', listingId)
    .where('country', '=', country)
    .orderBy('on_date', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The last reading of a day replaces earlier ones. */
export async function upsertListingDay(
  tx: Tx,
  row: ListingDay & { listingId: number; country: string; priceMicros: number | null },
): Promise<void> {
  await sql`
    insert into listing_days (listing_id, country, on_date, rating, rating_count, installs,
      price_micros, read_at)
    values (${row.listingId}, ${row.country}, ${row.onDate}, ${row.rating}, ${row.ratingCount},
      ${row.installs}, ${row.priceMicros}, ${row.readAt})
    on conflict (listing_id, country, on_date) do update
    set rating = excluded.rating, rating_count = excluded.rating_count,
      installs = excluded.installs,
      price_micros = excluded.price_micros, read_at = excluded.read_at`.execute(tx);
}

/** The texts of snapshots, as stored. */
export async function listSnapshotFields(
  tx: Tx,
  ids: readonly number[],
): Promise<Map<number, unknown>> {
  const { rows } = await sql<
    Row<'list-snapshot-fields'>
  >`select id::float8 as id, fields from snapshots
    where id = any(${[...ids]}::bigint[])`.execute(tx);
  return new Map(rows.map((row) => [row.id, row.fields]));
}
