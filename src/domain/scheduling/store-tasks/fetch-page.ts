import type { StoreTaskRow } from '#db/queries/store-tasks/store-tasks.ts';
import { listStoreAppIds } from '#db/queries/listings/listings.ts';
import { listKnownPageFields, upsertRatingDay } from '#db/queries/reviews/ratings.ts';
import { isSubtitleKnown } from '#db/queries/snapshots/snapshots.ts';
import { addDays, type UtcDay } from '#lib/dates.ts';
import { inSystem } from '#domain/base/context.ts';
import {
  confirmLost,
  type ConfirmedReading,
  type LostValues,
} from '#domain/tracking/drift/confirm-lost.ts';
import { compareReading } from '#domain/tracking/drift/field-reading.ts';
import { toStoredRating } from '#domain/tracking/listings/clean-listing.ts';
import { recordSubtitle } from '#domain/tracking/listings/record-subtitle.ts';
import type { PageResponse, StoreRequestOptions } from '#domain/base/ports.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { requireInTime } from '#domain/tracking/rankings/require-in-time.ts';

const watchedFields = ['subtitle', 'rating', 'ratingCount', 'histogram'] as const;
/** A page may be read once a week. */
const knownForDays = 30;

/**
 * Reads the facts that only the listing's page shows: the star counts of the day and the subtitle.
 * A subtitle that disappears is kept until the page of a later day confirms it. Throws StoreError
 * and stores nothing then.
 */
export async function readPage(
  services: CheckServices,
  task: StoreTaskRow,
  day: UtcDay,
  options: StoreRequestOptions,
): Promise<{ requests: number } & LostValues> {
  const { store, country, listingId } = task;
  const [storeAppId] =
    listingId === null ? [] : (await listStoreAppIds(services.systemDb, [listingId])).keys();
  if (listingId === null || storeAppId === undefined)
    throw new Error(`task ${task.id} names no listing`);
  const response = await services.stores[store].page({ storeAppId, country }, options);
  requireInTime(store, day, services.clock.now());
  const { untrusted, ...lost } = await confirmPage(services, { ...task, listingId }, day, response);
  const now = services.clock.now();
  await inSystem(services, async (tx) => {
    const read = <Fact>(field: string, fact: Fact) => (untrusted.includes(field) ? null : fact);
    await upsertRatingDay(tx, {
      listingId,
      country,
      onDate: day,
      rating: read('rating', toStoredRating(response.rating)),
      ratingCount: read('ratingCount', response.ratingCount),
      histogram: read('histogram', response.histogram),
    });
    const previousOn = (await isSubtitleKnown(tx, listingId, country, day)) ? task.readOn : null;
    const { subtitle, unread } = response;
    if (!unread.includes('subtitle') && !untrusted.includes('subtitle'))
      await recordSubtitle(tx, { listingId, country, subtitle, previousOn, now });
  });
  return { requests: response.cost.requests, ...lost };
}

async function confirmPage(
  { systemDb, fieldWatch }: CheckServices,
  { store, country, listingId, lostOn, lostFields }: StoreTaskRow & { listingId: number },
  day: UtcDay,
  response: PageResponse,
): Promise<ConfirmedReading> {
  const since = addDays(day, -knownForDays);
  const known = await listKnownPageFields(systemDb, { listingId, country, since });
  const facts = Object.fromEntries(watchedFields.map((field) => [field, response[field]]));
  const reading = compareReading(String(listingId), watchedFields, facts, new Set(known));
  const [confirmed] = confirmLost(fieldWatch, { store, source: 'page', day }, [
    { reading, lostOn, lostFields },
  ]);
  return confirmed!;
}
