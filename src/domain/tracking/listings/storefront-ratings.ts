import type { Db, Tx } from '#db/database.ts';
import {
  listRatingReadings,
  type RatingReading,
  type Ratings,
  type StorefrontListing,
} from '#db/queries/listings/listing-ratings.ts';
import type { UtcDay } from '#lib/dates.ts';
import { toStoredRating } from './clean-listing.ts';

/** What a storefront showed of a listing until a day; null when nothing is known. */
export type RatingsOn = (listing: StorefrontListing, day: UtcDay) => Ratings | null;

/**
 * Ratings of listings in their storefronts, for the days of a range. A number of another storefront
 * is never among them: an app can have a million ratings in one country and a hundred in another.
 */
export async function loadRatings(
  db: Db | Tx,
  listings: readonly StorefrontListing[],
  range: { from: UtcDay; to: UtcDay },
): Promise<RatingsOn> {
  const distinct = [...new Map(listings.map((one) => [keyOf(one), one])).values()];
  const readings = distinct.length === 0 ? [] : await listRatingReadings(db, distinct, range);
  const ofListing = Map.groupBy(readings, ({ listingId: id, country }) => keyOf({ id, country }));
  return (listing, day) => findNewest(ofListing.get(keyOf(listing)) ?? [], day);
}

/** The ratings of listings in one country on a day. */
export async function loadRatingsOn(
  db: Db | Tx,
  ids: readonly number[],
  { country, day }: { country: string; day: UtcDay },
): Promise<(id: number) => Ratings | null> {
  const listings = ids.map((id) => ({ id, country }));
  const ratingsOn = await loadRatings(db, listings, { from: day, to: day });
  return (id) => ratingsOn({ id, country }, day);
}

/** The ratings of each listing in the first of these countries whose storefront has shown some. */
export async function loadRatingsInFirstOf(
  db: Db | Tx,
  ids: readonly number[],
  { countries, day }: { countries: readonly string[]; day: UtcDay },
): Promise<(id: number) => Ratings | null> {
  const listings = ids.flatMap((id) => countries.map((country) => ({ id, country })));
  const ratingsOn = await loadRatings(db, listings, { from: day, to: day });
  return (id) => {
    for (const country of countries) {
      const found = ratingsOn({ id, country }, day);
      if (found) return found;
    }
    return null;
  };
}

const keyOf = ({ id, country }: StorefrontListing): string => `${country} ${id}`;

/**
 * The newest rating and the newest number of ratings, which most cards of Google Play lack. On the
 * same day those of the page count, which are exact where a card shows 1.2K.
 * Ratings are stored as four-byte floats, whose nearest double has digits that were never stored.
 */
function findNewest(readings: readonly RatingReading[], day: UtcDay): Ratings | null {
  const known = readings.filter(({ date }) => date <= day);
  const counted = known.filter(({ ratingCount }) => ratingCount !== null);
  const newest = newestOf(known, ({ date }) => date);
  if (!newest) return null;
  const newestCounted = newestOf(counted, ({ date, countedOn }) => countedOn ?? date);
  return {
    rating: toStoredRating(newest.rating),
    ratingCount: newestCounted?.ratingCount ?? null,
  };
}

/** The first one of the newest day. */
function newestOf(
  readings: readonly RatingReading[],
  dayOf: (reading: RatingReading) => UtcDay,
): RatingReading | undefined {
  return readings.reduce<RatingReading | undefined>(
    (newest, one) => (newest === undefined || dayOf(one) > dayOf(newest) ? one : newest),
    undefined,
  );
}
