import type { z } from 'zod';
import type { snapshotDiff } from '#contract/apps.ts';
import { findNewestReading } from '#db/queries/apps/apps.ts';
import { completeListings } from '#db/queries/listings/listing-schedule.ts';
import { utcDayOf } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { presentSnapshot, toListingSnapshot } from '../listings/listing-snapshot.ts';
import { diffReadings, recordListing } from '../listings/record-listing.ts';
import { readListing } from '../store-lookups/fetch-listing.ts';
import { getActiveApp } from './get-app.ts';

export type SnapshotDiff = z.input<typeof snapshotDiff>;

/**
 * Reads the listing in the app's primary country now and returns the changes since the previous
 * reading of this workspace. A value that is absent now stays until the daily readings confirm its
 * loss. Throws not_found, invalid_request (archived), store_app_not_found or StoreError; nothing is
 * written then.
 */
export async function refreshApp(
  ctx: Ctx,
  appId: number,
  signal: AbortSignal,
): Promise<SnapshotDiff> {
  const app = await inTenant(ctx, (tx) => getActiveApp(tx, ctx, appId));
  const { store, storeAppId, primaryCountry: country } = app;
  const { listing, language } = await readListing(ctx, { store, storeAppId, country }, signal);
  const now = ctx.clock.now();
  const { recorded, previous } = await inTenant(ctx, async (tx) => {
    const newest = await findNewestReading(tx, ctx.workspaceId, appId);
    const recorded = await recordListing(tx, {
      store,
      listing,
      country,
      language,
      now,
      keepsLost: true,
    });
    // The daily readings confirm a loss, so the one of today is still due.
    if (recorded.keptTexts.length === 0)
      await completeListings(tx, {
        listingIds: [recorded.listingId],
        country,
        day: utcDayOf(now),
        read: true,
        marker: null,
      });
    const previous = newest?.day ? toListingSnapshot(newest.snapshot, newest.day) : null;
    return { recorded, previous };
  });
  return {
    snapshot: presentSnapshot(recorded.snapshot),
    previous: previous && presentSnapshot(previous),
    changes: previous ? diffReadings(previous, recorded) : [],
  };
}
