import {
  completeNaming,
  listWaiting,
  rescheduleNaming,
} from '#db/queries/listings/unnamed-listings.ts';
import type { Services } from '#domain/base/context.ts';
import { planStoreRetry, type StoreWorkOptions } from '#domain/base/plan-store-retry.ts';
import { StoreError, type StoreName } from '#domain/base/ports.ts';
import { internCards, type ListingCache } from '#domain/tracking/listings/intern-listings.ts';
import type { UtcDay } from '#lib/dates.ts';

/** Looks up the names of listings that searches gave by id alone, with the other facts of cards. */
export async function nameListings(
  services: Services & { listingCache: ListingCache },
  input: {
    store: StoreName;
    country: string;
    device: string;
    listingIds: number[];
    day: UtcDay;
  },
  options: StoreWorkOptions,
): Promise<void> {
  const { systemDb, listingCache, clock, stores } = services;
  const { store, country, device, day } = input;
  const listings = await listWaiting(systemDb, country, input.listingIds);
  if (listings.length === 0) return;
  const ids = new Map(listings.map(({ id, storeAppId }) => [storeAppId, id]));
  const listingIds = [...ids.values()];
  try {
    const { found, missing } = await stores[store].listings(
      { storeAppIds: [...ids.keys()], country, device },
      options,
    );
    await internCards(systemDb, listingCache, store, found, { day, country });
    await completeNaming(systemDb, {
      country,
      listingIds,
      missing: missing.flatMap((storeAppId) => ids.get(storeAppId) ?? []),
      day,
    });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const decision = planStoreRetry(options.retry, error, 0, clock.now());
    await rescheduleNaming(systemDb, {
      country,
      listingIds,
      retryAt: decision.kind === 'again' ? decision.at : clock.now(),
      maxAttempts: decision.kind === 'again' ? options.retry.delaysMs.length : 1,
    });
  }
}
