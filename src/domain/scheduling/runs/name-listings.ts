import {
  completeNaming,
  listWaiting,
  rescheduleNaming,
  type WaitingListing,
} from '#db/queries/listings/unnamed-listings.ts';
import type { Services } from '#domain/base/context.ts';
import {
  planStoreRetry,
  type StoreFailureFacts,
  type StoreRetryPolicy,
  type StoreWorkOptions,
} from '#domain/base/plan-store-retry.ts';
import { StoreError, type StoreName } from '#domain/base/ports.ts';
import { internCards, type ListingCache } from '#domain/tracking/listings/intern-listings.ts';
import type { UtcDay } from '#lib/dates.ts';

/** A run waits for its names, and alerts of chats for the end of the run. */
const longestWaitMs = 3_600_000;

interface Naming {
  store: StoreName;
  country: string;
  device: string;
  listingIds: number[];
  day: UtcDay;
}

/** Looks up the names of listings that searches gave by id alone, with the other facts of cards. */
export async function nameListings(
  services: Services & { listingCache: ListingCache },
  input: Naming,
  options: StoreWorkOptions,
): Promise<void> {
  const { systemDb, listingCache, stores } = services;
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
    await rescheduleNames(services, input, { listings, error, retry: options.retry });
  }
}

/**
 * Listings of one job may have failed before in other jobs: each count is rescheduled apart. Those
 * that are given up are requested again by the next check of a market. False if all of them are.
 */
export async function rescheduleNames(
  { systemDb, clock }: Services,
  { country, day }: Pick<Naming, 'country' | 'day'>,
  {
    listings,
    error,
    retry,
  }: { listings: readonly WaitingListing[]; error: StoreFailureFacts; retry: StoreRetryPolicy },
): Promise<boolean> {
  const now = clock.now();
  let isRescheduled = listings.length === 0;
  for (const [attempts, tried] of Map.groupBy(listings, (listing) => listing.attempts)) {
    const failed = { country, listingIds: tried.map(({ id }) => id) };
    const decision = planStoreRetry(retry, error, attempts, now);
    if (decision.kind === 'give-up' || decision.at.getTime() - now.getTime() > longestWaitMs) {
      await completeNaming(systemDb, { ...failed, missing: [], day });
      continue;
    }
    isRescheduled = true;
    await rescheduleNaming(systemDb, {
      ...failed,
      attempts: decision.attempts,
      retryAt: decision.at,
      now,
    });
  }
  return isRescheduled;
}
