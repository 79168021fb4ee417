import { saveListingDays } from '#db/queries/listings/listing-days.ts';
import type { UtcDay } from '#lib/dates.ts';
import type { Services } from '#domain/base/context.ts';
import type { AppListing, StoreName } from '#domain/base/ports.ts';
import { cleanNumbers } from './clean-listing.ts';
import { internCards, type ListingCache } from './intern-listings.ts';

export interface Readings {
  store: StoreName;
  country: string;
  /** The run's day. */
  day: UtcDay;
  now: Date;
  /** With their known ids. */
  listings: readonly { listingId: number; listing: AppListing }[];
}

/**
 * Records readings whose texts equal the newest snapshot, which is the usual case: the day's
 * numbers and the schedule, in one statement for all and without waiting for locks. The others need
 * `recordListing`.
 */
export async function recordUnchanged(
  services: Services & { listingCache: ListingCache },
  { store, country, day, now, listings }: Readings,
): Promise<void> {
  if (listings.length === 0) return;
  await internCards(
    services.systemDb,
    services.listingCache,
    store,
    listings.map(({ listing }) => listing),
    { day, country },
  );
  const numbers = listings.map(({ listingId, listing }) => ({
    listingId,
    ...cleanNumbers(listing),
    priceMicros: listing.priceMicros,
  }));
  await saveListingDays(services.systemDb, { country, day, now, listings: numbers });
}
