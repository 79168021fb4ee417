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
  /** The day of the number of ratings, where it is an earlier one. */
  countedOn: string | null;
}

/** What a storefront showed of a listing on a day. */
export interface RatingsOfDay extends Ratings {
  listingId: number;
  day: string;
}

/** An older reading says little about a day. */
const readingMaxAgeDays = 90;

/**
 * The ratings that storefronts showed: of each listing the newest ones until `from`, and all until
 * `to`. Those without any are omitted. Those of pages are before those of cards.
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
      n.rating_count as "ratingCount", n.counted_on as "countedOn"
    from unnest(${listings.map(({ id }) => id)}::int[],
      ${listings.map(({ country }) => country)}::text[]) as w(id, country)
    cross join lateral (
      (select on_date, rating, rating_count, null::date as counted_on from listing_days
        where listing_id = w.id and country = w.country and on_date <= ${from}::date
          and on_date > ${from}::date - ${readingMaxAgeDays}::int
          and (rating is not null or rating_count is not null)
        order by on_date desc limit 1)
      union all
      select on_date, rating, rating_count, null from listing_days
      where ${from}::date < ${to}::date and listing_id = w.id and country = w.country
        and on_date > ${from}::date and on_date <= ${to}::date
        and (rating is not null or rating_count is not null)
      union all
      (select read_on, rating, rating_count, counted_on from listing_ratings
        where listing_id = w.id and country = w.country and read_on <= ${from}::date
        order by read_on desc limit 1)
      union all
      select read_on, rating, rating_count, counted_on from listing_ratings
      where ${from}::date < ${to}::date and listing_id = w.id and country = w.country
        and read_on > ${from}::date and read_on <= ${to}::date
    ) n`.execute(db);
  return rows;
}

/**
 * Writes the ratings that a country's storefront showed where they differ from those that are known
 * until the day, of a listing once a day. A number that a card lacks is the one from before; with a
 * count of 0 there is no rating.
 */
export async function insertListingRatings(
  db: Db | Tx,
  country: string,
  ratings: readonly RatingsOfDay[],
): Promise<void> {
  await sql`/* insert-listing-ratings */
    insert into listing_ratings (listing_id, country, read_on, rating, rating_count, counted_on,
      is_first)
    select g.id, ${country}, g.day,
      case when g.rating_count = 0 then g.rating else coalesce(g.rating, r.rating) end,
      coalesce(g.rating_count, r.rating_count),
      case when g.rating_count is null then r.counted_on end, r.rated_on is null
    from unnest(${ratings.map(({ listingId }) => listingId)}::int[],
      ${ratings.map(({ day }) => day)}::date[],
      ${ratings.map(({ rating }) => rating)}::real[],
      ${ratings.map(({ ratingCount }) => ratingCount)}::int[]) as g(id, day, rating, rating_count)
    left join lateral (
      select read_on as rated_on, rating, rating_count,
        case when rating_count is not null then coalesce(counted_on, read_on) end as counted_on
      from listing_ratings
      where listing_id = g.id and country = ${country} and read_on <= g.day
      order by read_on desc limit 1
    ) r on true
    where abs(g.rating - coalesce(r.rating, 9)) >= ${leastDifference.rating}::float8
      or abs(g.rating_count::float8 - coalesce(r.rating_count, -1))
        > ${leastDifference.shareOfCount}::float8 * coalesce(r.rating_count, 0)
    order by g.id, g.day
    on conflict (listing_id, country, read_on) do nothing`.execute(db);
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
