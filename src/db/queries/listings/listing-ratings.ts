import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface Ratings {
  /** 0–5. */
  rating: number | null;
  ratingCount: number | null;
}

/** A listing in a storefront. */
export interface StorefrontListing {
  id: number;
  country: string;
}

export interface RatingReading extends Ratings {
  listingId: number;
  country: string;
  date: string;
}

/** An older reading says little about a day. */
const readingMaxAgeDays = 90;

/**
 * The ratings that storefronts showed: of each listing the newest ones until `from`, and all until
 * `to`. Those without any are omitted.
 */
export async function listRatingReadings(
  db: Db | Tx,
  listings: readonly StorefrontListing[],
  { from, to }: { from: string; to: string },
): Promise<RatingReading[]> {
  const { rows } = await sql<
    Row<'rating-readings', RatingReading, 'listingId' | 'country'>
  >`/* rating-readings */
    select w.id as "listingId", w.country, n.on_date as date, n.rating,
      n.rating_count as "ratingCount"
    from unnest(${listings.map(({ id }) => id)}::int[],
      ${listings.map(({ country }) => country)}::text[]) as w(id, country)
    cross join lateral (
      (select on_date, rating, rating_count from listing_days
        where listing_id = w.id and country = w.country and on_date <= ${from}::date
          and on_date > ${from}::date - ${readingMaxAgeDays}::int
          and (rating is not null or rating_count is not null)
        order by on_date desc limit 1)
      union all
      select on_date, rating, rating_count from listing_days
      where listing_id = w.id and country = w.country and on_date > ${from}::date
        and on_date <= ${to}::date and (rating is not null or rating_count is not null)
      union all
      select read_on, rating, rating_count from listing_ratings
      where listing_id = w.id and country = w.country and read_on <= ${to}::date
    ) n`.execute(db);
  return rows;
}

/**
 * Writes the ratings that a country's storefront shows, where they differ from what is known, once
 * a day. A number that a card lacks stays.
 */
export async function upsertListingRatings(
  db: Db | Tx,
  { country, day }: { country: string; day: string },
  ratings: readonly (Ratings & { listingId: number })[],
): Promise<void> {
  await sql`/* upsert-listing-ratings */
    insert into listing_ratings as r (listing_id, country, rating, rating_count, read_on)
    select g.id, ${country}, g.rating, g.rating_count, ${day}::date
    from unnest(${ratings.map(({ listingId }) => listingId)}::int[],
      ${ratings.map(({ rating }) => rating)}::real[],
      ${ratings.map(({ ratingCount }) => ratingCount)}::int[]) as g(id, rating, rating_count)
    order by g.id
    on conflict (listing_id, country) do update
      set rating = coalesce(excluded.rating, r.rating),
        rating_count = coalesce(excluded.rating_count, r.rating_count),
        read_on = excluded.read_on
      where r.read_on < excluded.read_on and (
        abs(excluded.rating - coalesce(r.rating, 9)) >= ${leastDifference.rating}::float8
        or abs(excluded.rating_count - coalesce(r.rating_count, -1))
          > ${leastDifference.shareOfCount}::float8 * coalesce(r.rating_count, 0))`.execute(db);
}

/** Ratings that differ by less are the same: most apps get new ones every day. */
const leastDifference = { rating: 0.05, shareOfCount: 0.02 };

/** True where a card shows other ratings than the known ones. */
export function areOtherRatings(known: Ratings | undefined, shown: Ratings): boolean {
  const { rating, ratingCount } = shown;
  const isOther = rating !== null && isOtherRating(known?.rating ?? null, rating);
  return isOther || (ratingCount !== null && isOtherCount(known?.ratingCount ?? null, ratingCount));
}

const isOtherRating = (known: number | null, shown: number): boolean =>
  known === null || Math.abs(shown - known) >= leastDifference.rating;

const isOtherCount = (known: number | null, shown: number): boolean =>
  known === null || Math.abs(shown - known) > leastDifference.shareOfCount * known;
