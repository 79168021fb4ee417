import { sql } from 'kysely';
import type { Tx } from '../database.ts';

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
