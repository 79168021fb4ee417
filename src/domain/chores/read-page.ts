import type { ChoreRow } from '../../db/queries/chores.ts';
import { listStoreAppIds } from '../../db/queries/listings.ts';
import { upsertRatingDay } from '../../db/queries/ratings.ts';
import { hasEarlierPage } from '../../db/queries/snapshots.ts';
import type { UtcDay } from '../../lib/dates.ts';
import { inSystem } from '../context.ts';
import { toKeptRating } from '../listings/clean-listing.ts';
import { recordSubtitle } from '../listings/record-subtitle.ts';
import type { StoreRequestOptions } from '../ports.ts';
import type { CheckServices } from '../rankings/check-market.ts';

/** Reads what only the listing's page shows: the star counts of the day, and the subtitle. Throws StoreError; then nothing is kept. */
export async function readPage(
  services: CheckServices,
  chore: ChoreRow,
  day: UtcDay,
  options: StoreRequestOptions,
): Promise<{ requests: number }> {
  const { store, country, listingId } = chore;
  const [storeAppId] =
    listingId === null ? [] : (await listStoreAppIds(services.systemDb, [listingId])).keys();
  if (listingId === null || storeAppId === undefined)
    throw new Error(`chore ${chore.id} names no listing`);
  const answer = await services.stores[store].page({ storeAppId, country }, options);
  const now = services.clock.now();
  await inSystem(services, async (tx) => {
    const { ratingCount, histogram } = answer;
    await upsertRatingDay(tx, {
      listingId,
      country,
      onDate: day,
      rating: toKeptRating(answer.rating),
      ratingCount,
      histogram,
    });
    // A page that was read before the country's first snapshot had nothing to be kept in.
    const previousOn = (await hasEarlierPage(tx, listingId, country, day)) ? chore.readOn : null;
    await recordSubtitle(tx, { listingId, country, subtitle: answer.subtitle, previousOn, now });
  });
  return { requests: answer.cost.requests };
}
