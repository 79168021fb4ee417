import { saveListingDays, listNewestTexts } from '#db/queries/listings/listing-days.ts';
import type { UtcDay } from '#lib/dates.ts';
import type { Services } from '#domain/base/context.ts';
import type { AppListing, StoreName } from '#domain/base/ports.ts';
import { cleanFields, cleanNumbers } from './clean-listing.ts';
import { internCards, type ListingCache } from './intern-listings.ts';
import { hashContent } from './listing-content.ts';

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
 * numbers and the schedule, in one statement for all and without waiting for locks. Returns the ids
 * of the recorded ones. The others need `recordListing`.
 */
export async function recordUnchanged(
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
    if (listing.unread.length > 0) return [];
    const known = newest.get(listingId);
    const fields = cleanFields(listing);
    // As in recordListing: a lookup has no subtitle.
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
  await saveListingDays(services.systemDb, { country, day, now, listings: same });
  return new Set(same.map(({ listingId }) => listingId));
}
