import {
  rescheduleListings,
  listListingsToRead,
  completeListings,
  type ListingToRead,
} from '#db/queries/listings/listing-schedule.ts';
import type { UtcDay } from '#lib/dates.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { compareListings } from '#domain/tracking/listings/compare-listings.ts';
import { recordUnchanged } from '#domain/tracking/listings/record-unchanged.ts';
import { recordListing } from '#domain/tracking/listings/record-listing.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { requireInTime } from '#domain/tracking/rankings/require-in-time.ts';
import { StoreError, type ListingsResponse, type StoreName } from '#domain/base/ports.ts';
import {
  planStoreRetry,
  type StoreFailureFacts,
  type StoreRetryPolicy,
  type StoreWorkOptions,
} from '#domain/base/plan-store-retry.ts';

interface Refresh {
  store: StoreName;
  country: string;
  listingIds: number[];
  day: UtcDay;
}

/**
 * Reads listings of one country and stores their changes. A listing that the store does not offer
 * there is completed, not retried.
 */
export async function refreshListings(
  services: CheckServices,
  input: Refresh,
  options: StoreWorkOptions,
): Promise<void> {
  const listings = await listListingsToRead(services.systemDb, input);
  if (listings.length === 0) return;
  const ids = new Map(listings.map(({ id, storeAppId }) => [storeAppId, id]));
  try {
    const response = await services.stores[input.store].listings(
      { storeAppIds: [...ids.keys()], country: input.country },
      options,
    );
    requireInTime(input.store, input.day, services.clock.now());
    await saveFound(services, input, listings, response);
    const missing = response.missing.flatMap((storeAppId) => ids.get(storeAppId) ?? []);
    if (missing.length > 0) {
      await completeListings(services.systemDb, {
        listingIds: missing,
        country: input.country,
        day: input.day,
        read: false,
        marker: 'not-offered',
      });
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    await rescheduleRefresh(services, input, { listings, error, retry: options.retry });
  }
}

async function saveFound(
  services: CheckServices,
  { store, country, day }: Refresh,
  toRead: readonly ListingToRead[],
  { found, language }: ListingsResponse,
): Promise<void> {
  const now = services.clock.now();
  const rows = new Map(toRead.map((row) => [row.storeAppId, row]));
  const readings = found.map((listing) => {
    const { id: listingId, lostOn, lostFields } = rows.get(listing.storeAppId)!;
    return { listingId, listing, lostOn, lostFields };
  });
  const compared = await compareListings(services, { store, country, day }, readings);
  const [unchanged, others] = [true, false].map((isUnchanged) =>
    compared.filter((one) => one.isUnchanged === isUnchanged),
  );
  await recordUnchanged(services, { store, country, day, now, listings: unchanged! });
  for (const { listing, listingId, lostOn, lostFields } of others!) {
    await inSystem(services, async (tx) => {
      await recordListing(tx, { store, listing, country, language, now, day });
      await completeListings(tx, {
        listingIds: [listingId],
        country,
        day,
        read: true,
        marker: null,
        lostOn,
        lostFields,
      });
    });
  }
}

/**
 * Listings of one job may have failed before in other jobs: each count is rescheduled apart. False
 * if all of them are given up.
 */
export async function rescheduleRefresh(
  services: Services,
  { country, day }: Pick<Refresh, 'country' | 'day'>,
  {
    listings,
    error,
    retry,
  }: { listings: readonly ListingToRead[]; error: StoreFailureFacts; retry: StoreRetryPolicy },
): Promise<boolean> {
  const now = services.clock.now();
  let isRescheduled = listings.length === 0;
  for (const [attempts, tried] of Map.groupBy(listings, (listing) => listing.attempts)) {
    const failed = { listingIds: tried.map(({ id }) => id), country, day, marker: error.marker };
    const decision = planStoreRetry(retry, error, attempts, now);
    if (decision.kind === 'give-up') {
      await completeListings(services.systemDb, { ...failed, read: false });
      continue;
    }
    isRescheduled = true;
    await rescheduleListings(services.systemDb, {
      ...failed,
      attempts: decision.attempts,
      retryAt: decision.at,
    });
  }
  return isRescheduled;
}
