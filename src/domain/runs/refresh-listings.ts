import { deferListings, listStoreAppIds, settleListings } from '../../db/queries/schedule.ts';
import type { UtcDay } from '../../lib/dates.ts';
import { inSystem, type Services } from '../context.ts';
import { recordListing } from '../listings/record-listing.ts';
import { StoreError, type StoreName, type StoreRequestOptions } from '../ports.ts';
import { maxAttemptsADay, nextTry } from './next-try.ts';

/** Reads listings of one country and keeps what changed. A listing the store does not offer there is settled, not retried. */
export async function refreshListings(
  services: Services,
  input: { store: StoreName; country: string; listingIds: number[]; day: UtcDay },
  options: StoreRequestOptions,
): Promise<void> {
  const ids = await listStoreAppIds(services.systemDb, input.listingIds);
  try {
    const answer = await services.stores[input.store].listings({ storeAppIds: [...ids.keys()], country: input.country }, options);
    const now = services.clock.now();
    const found = answer.found.toSorted((a, b) => (a.storeAppId < b.storeAppId ? -1 : 1));
    for (const listing of found) {
      await inSystem(services, async (tx) => {
        await recordListing(tx, { store: input.store, listing, country: input.country, language: answer.language, now, day: input.day });
        const listingId = ids.get(listing.storeAppId);
        if (listingId) await settleListings(tx, { listingIds: [listingId], country: input.country, day: input.day, read: true, marker: null });
      });
    }
    const missing = answer.missing.flatMap((storeAppId) => ids.get(storeAppId) ?? []);
    if (missing.length > 0) {
      await settleListings(services.systemDb, { listingIds: missing, country: input.country, day: input.day, read: false, marker: 'not-offered' });
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    await deferRefresh(services, input, error);
  }
}

async function deferRefresh(services: Services, input: { country: string; listingIds: number[]; day: UtcDay }, error: StoreError): Promise<void> {
  const now = services.clock.now();
  const decision = nextTry(error, 0, now);
  if (decision.kind === 'give-up') {
    await settleListings(services.systemDb, { ...input, read: false, marker: error.marker });
    return;
  }
  await deferListings(services.systemDb, {
    ...input,
    usedAttempt: decision.attempts > 0,
    retryAt: decision.at,
    marker: error.marker,
    maxAttempts: maxAttemptsADay,
  });
}
