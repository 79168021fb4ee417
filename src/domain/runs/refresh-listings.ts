import {
  deferListings,
  listListingsToRead,
  settleListings,
  type ListingToRead,
} from '../../db/queries/listing-schedule.ts';
import type { UtcDay } from '../../lib/dates.ts';
import { inSystem, type Services } from '../context.ts';
import { keepUnchanged } from '../listings/keep-unchanged.ts';
import type { ListingCache } from '../listings/listing-cache.ts';
import { recordListing } from '../listings/record-listing.ts';
import {
  StoreError,
  type ListingsAnswer,
  type StoreName,
  type StoreRequestOptions,
} from '../ports.ts';
import { nextTry } from './next-try.ts';

interface Refresh {
  store: StoreName;
  country: string;
  listingIds: number[];
  day: UtcDay;
}

/** Reads listings of one country and keeps what changed. A listing the store does not offer there is settled, not retried. */
export async function refreshListings(
  services: Services & { listingCache: ListingCache },
  input: Refresh,
  options: StoreRequestOptions,
): Promise<void> {
  const listings = await listListingsToRead(services.systemDb, input);
  if (listings.length === 0) return;
  const ids = new Map(listings.map(({ id, storeAppId }) => [storeAppId, id]));
  try {
    const answer = await services.stores[input.store].listings(
      { storeAppIds: [...ids.keys()], country: input.country },
      options,
    );
    await keepFound(services, input, ids, answer);
    const missing = answer.missing.flatMap((storeAppId) => ids.get(storeAppId) ?? []);
    if (missing.length > 0) {
      await settleListings(services.systemDb, {
        listingIds: missing,
        country: input.country,
        day: input.day,
        read: false,
        marker: 'not-offered',
      });
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    await deferRefresh(services, input, listings, error);
  }
}

async function keepFound(
  services: Services & { listingCache: ListingCache },
  { store, country, day }: Refresh,
  ids: ReadonlyMap<string, number>,
  { found, language }: ListingsAnswer,
): Promise<void> {
  const now = services.clock.now();
  const listings = found.map((listing) => ({ listing, listingId: ids.get(listing.storeAppId)! }));
  const kept = await keepUnchanged(services, { store, country, day, now, listings });
  for (const { listing, listingId } of listings) {
    if (kept.has(listingId)) continue;
    await inSystem(services, async (tx) => {
      await recordListing(tx, { store, listing, country, language, now, day });
      await settleListings(tx, { listingIds: [listingId], country, day, read: true, marker: null });
    });
  }
}

/** Those read together may have failed before in other company. */
async function deferRefresh(
  services: Services,
  { country, day }: Refresh,
  listings: readonly ListingToRead[],
  error: StoreError,
): Promise<void> {
  const now = services.clock.now();
  for (const [attempts, tried] of Map.groupBy(listings, (listing) => listing.attempts)) {
    const failed = { listingIds: tried.map(({ id }) => id), country, day, marker: error.marker };
    const decision = nextTry(error, attempts, now);
    if (decision.kind === 'give-up')
      await settleListings(services.systemDb, { ...failed, read: false });
    else
      await deferListings(services.systemDb, {
        ...failed,
        attempts: decision.attempts,
        retryAt: decision.at,
      });
  }
}
