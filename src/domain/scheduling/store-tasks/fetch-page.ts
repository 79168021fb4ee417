import type { StoreTaskRow } from '#db/queries/store-tasks/store-tasks.ts';
import { listStoreAppIds } from '#db/queries/listings/listings.ts';
import { upsertRatingDay } from '#db/queries/reviews/ratings.ts';
import { hasEarlierPage } from '#db/queries/snapshots/snapshots.ts';
import type { UtcDay } from '#lib/dates.ts';
import { inSystem } from '#domain/base/context.ts';
import { toStoredRating } from '#domain/tracking/listings/clean-listing.ts';
import { recordSubtitle } from '#domain/tracking/listings/record-subtitle.ts';
import type { StoreRequestOptions } from '#domain/base/ports.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';

/**
 * Reads the facts that only the listing's page shows: the star counts of the day and the subtitle.
 * Throws StoreError and stores nothing then.
 */
export async function readPage(
  services: CheckServices,
  task: StoreTaskRow,
  day: UtcDay,
  options: StoreRequestOptions,
): Promise<{ requests: number }> {
  const { store, country, listingId } = task;
  const [storeAppId] =
    listingId === null ? [] : (await listStoreAppIds(services.systemDb, [listingId])).keys();
  if (listingId === null || storeAppId === undefined)
    throw new Error(`task ${task.id} names no listing`);
  const response = await services.stores[store].page({ storeAppId, country }, options);
  const now = services.clock.now();
  await inSystem(services, async (tx) => {
    const { ratingCount, histogram } = response;
    await upsertRatingDay(tx, {
      listingId,
      country,
      onDate: day,
      rating: toStoredRating(response.rating),
      ratingCount,
      histogram,
    });
    // The subtitle of an earlier page is known only if there was a snapshot to store it in.
    const previousOn = (await hasEarlierPage(tx, listingId, country, day)) ? task.readOn : null;
    const { subtitle, unread } = response;
    if (!unread.includes('subtitle'))
      await recordSubtitle(tx, { listingId, country, subtitle, previousOn, now });
  });
  return { requests: response.cost.requests };
}
