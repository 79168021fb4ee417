import { keepListingDays, listNewestTexts } from '../../db/queries/listing-days.ts';
import type { UtcDay } from '../../lib/dates.ts';
import type { Services } from '../context.ts';
import type { AppListing, StoreName } from '../ports.ts';
import { cleanFields, cleanNumbers } from './clean-listing.ts';
import { internCards, type ListingCache } from './intern-listings.ts';
import { hashContent } from './listing-content.ts';

export interface Readings {
  store: StoreName;
  country: string;
  /** The run's. */
  day: UtcDay;
  now: Date;
  /** With the ids they are known under. */
  listings: readonly { listingId: number; listing: AppListing }[];
}

/**
 * Keeps the readings whose texts are still those of the newest snapshot, as most are: the day's numbers and the schedule, in
 * one statement for all of them and without holding anybody up. Returns the ids of those that are kept; the others are for
 * `recordListing`.
 */
export async function keepUnchanged(
  services: Services & { listingCache: ListingCache },
  readings: Readings,
): Promise<Set<number>> {
  const { store, country, day, now, listings } = readings;
  const newest = await listNewestTexts(
    services.systemDb,
    listings.map(({ listingId }) => listingId),
    country,
  );
  const same = listings.flatMap(({ listingId, listing }) => {
    const known = newest.get(listingId);
    const fields = cleanFields(listing);
    // As in recordListing: a lookup does not tell the subtitle.
    const contentHash = hashContent({
      ...fields,
      subtitle: fields.subtitle ?? known?.subtitle ?? null,
    });
    return known?.contentHash.equals(contentHash)
      ? [{ listingId, listing, ...cleanNumbers(listing), priceMicros: fields.priceMicros }]
      : [];
  });
  if (same.length === 0) return new Set();
  await internCards(
    services.systemDb,
    services.listingCache,
    store,
    same.map(({ listing }) => listing),
    day,
  );
  await keepListingDays(services.systemDb, { country, day, now, listings: same });
  return new Set(same.map(({ listingId }) => listingId));
}
