import { sql } from 'kysely';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** The known facts of a listing in a country. */
export interface KnownListing {
  contentHash: Buffer;
  subtitle: string | null;
  /** The numbers that any of the last 14 days has; a number that drifts is missing on some. */
  hasRating: boolean;
  hasRatingCount: boolean;
  hasInstalls: boolean;
}

/**
 * The newest snapshots of listings in a country, by listing, with the numbers that they usually
 * have. Listings without a snapshot are omitted.
 */
export async function listKnownListings(
  db: Db,
  listingIds: number[],
  { country, day }: { country: string; day: string },
): Promise<Map<number, KnownListing>> {
  const { rows } = await sql<
    Row<'known-listings', KnownListing & { listingId: number }, 'listingId'>
  >`/* known-listings */
    select w.id as "listingId", s.content_hash as "contentHash", s.fields->>'subtitle' as subtitle,
      coalesce(d.rating, false) as "hasRating", coalesce(d.rating_count, false) as "hasRatingCount",
      coalesce(d.installs, false) as "hasInstalls"
    from unnest(${listingIds}::int[]) as w(id)
    join lateral (select content_hash, fields from snapshots
      where listing_id = w.id and country = ${country} order by id desc limit 1) s on true
    cross join lateral (select bool_or(rating is not null) as rating,
        bool_or(rating_count > 0) as rating_count, bool_or(installs is not null) as installs
      from listing_days where listing_id = w.id and country = ${country}
        and on_date >= ${day}::date - 14) d`.execute(db);
  return new Map(rows.map(({ listingId, ...known }) => [listingId, known]));
}

/** The texts of listings that have a value, by listing, with the version that they describe. */
export async function listKnownTexts(
  db: Db,
  listingIds: readonly number[],
  country: string,
): Promise<Map<number, { fields: string[]; version: string | null }>> {
  const { rows } = await sql<
    Row<'known-texts', { listingId: number; fields: string[]; version: string | null }, 'listingId'>
  >`/* known-texts */
    select w.id as "listingId", s.fields->>'version' as version,
      array(select key from jsonb_each(s.fields)
        where value not in ('null'::jsonb, '[]'::jsonb, 'false'::jsonb)) as fields
    from unnest(${[...listingIds]}::int[]) as w(id)
    join lateral (select fields from snapshots
      where listing_id = w.id and country = ${country} order by id desc limit 1) s on true`.execute(
    db,
  );
  return new Map(rows.map(({ listingId, ...known }) => [listingId, known]));
}

export interface ListingNumbersOfDay {
  listingId: number;
  rating: number | null;
  ratingCount: number | null;
  installs: bigint | null;
  priceMicros: number | null;
}

/**
 * Stores the numbers of a day and completes the listings for it. The last reading of a day replaces
 * earlier ones.
 */
export async function saveListingDays(
  db: Db,
  kept: { country: string; day: string; now: Date; listings: ListingNumbersOfDay[] },
): Promise<void> {
  const { country, day, now, listings } = kept;
  const column = <Key extends keyof ListingNumbersOfDay>(key: Key) =>
    listings.map((listing) => listing[key]);
  await sql`/* save-listing-days */
    with kept as (
      insert into listing_days (listing_id, country, on_date, rating, rating_count, installs,
        price_micros, read_at)
      select n.id, ${country}, ${day}::date, n.rating, n.rating_count, n.installs, n.price_micros,
        ${now}
      from unnest(${column('listingId')}::int[], ${column('rating')}::real[],
        ${column('ratingCount')}::int[],
        ${listings.map(({ installs }) => installs?.toString() ?? null)}::bigint[],
        ${column('priceMicros')}::bigint[])
        as n(id, rating, rating_count, installs, price_micros)
      order by n.id
      on conflict (listing_id, country, on_date) do update
      set rating = excluded.rating, rating_count = excluded.rating_count,
        installs = excluded.installs,
        price_micros = excluded.price_micros, read_at = excluded.read_at
      returning listing_id
    )
    update listing_schedule s set completed_on = greatest(s.completed_on, ${day}::date),
      refreshed_on = greatest(s.refreshed_on, ${day}::date), queued_until = null, urgent_at = null,
      attempts = 0, retry_at = null, last_marker = null, lost_on = null, lost_fields = '{}'
    from kept where s.listing_id = kept.listing_id and s.country = ${country}`.execute(db);
}
