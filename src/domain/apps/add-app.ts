import type { Tx } from '../../db/database.ts';
import { findAppOfStore, insertApp, type AppRow } from '../../db/queries/apps.ts';
import { refreshListingDemand } from '../../db/queries/markets.ts';
import { settleListings } from '../../db/queries/listing-schedule.ts';
import { utcDayOf } from '../../lib/dates.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { refreshBudget } from '../budget/refresh-budget.ts';
import { inTenant, type Ctx } from '../context.ts';
import { acceptAppRefresh, requireHeadroom, type JobReference } from '../jobs/accept.ts';
import { recordListing } from '../listings/record-listing.ts';
import { readListing } from '../store-lookups/read-listing.ts';
import { resolveStoreApp, type StoreAppQuestion } from '../store-lookups/resolve-store-app.ts';
import { unarchiveApp } from './archive-app.ts';
import { getApp } from './find-app.ts';
import { presentApp, type AppRecord } from './present-app.ts';
import { readTags } from './read-own-words.ts';
import { requireRoomForApps } from './require-room.ts';

export type AddAppInput = StoreAppQuestion & {
  lookupCountry?: string | undefined;
  tags?: string[] | undefined;
};

export type AddedApp =
  | { created: true; app: AppRecord; job: JobReference }
  | { created: false; app: AppRecord };

const defaultCountry = 'us';

/**
 * Tracks an app. Reading its listing is at once the proof that it exists and its first snapshot; the job is what is
 * left to do. An app of this workspace is answered as it is, an archived one is brought back. Two calls at once make
 * one app. Throws invalid_request, quota_apps, store_app_not_found, queue_full, or StoreError; then nothing was written.
 */
export async function addApp(ctx: Ctx, input: AddAppInput, signal: AbortSignal): Promise<AddedApp> {
  const tags = readTags(input.tags) ?? [];
  const { store, storeAppId, country: countryOfUrl } = resolveStoreApp(ctx.stores, input);
  await requireHeadroom(ctx);
  const known = await inTenant(ctx, async (tx) =>
    bringBack(tx, ctx, await findAppOfStore(tx, ctx.workspaceId, store, storeAppId)),
  );
  if (known) return { created: false, app: known };

  const country = input.lookupCountry ?? countryOfUrl ?? defaultCountry;
  const { listing, language } = await readListing(ctx, { store, storeAppId, country }, signal);
  const now = ctx.clock.now();
  return inTenant(ctx, async (tx): Promise<AddedApp> => {
    const { listingId } = await recordListing(tx, { store, listing, country, language, now });
    const appId = await insertApp(tx, ctx.workspaceId, {
      listingId,
      primaryCountry: country,
      tags,
      createdAt: now,
    });
    if (appId === undefined) {
      const added = await bringBack(
        tx,
        ctx,
        await findAppOfStore(tx, ctx.workspaceId, store, storeAppId),
      );
      return { created: false, app: added! };
    }
    await refreshListingDemand(tx, [listingId]);
    // The reading just kept is today's: it is not asked for twice.
    await settleListings(tx, {
      listingIds: [listingId],
      country,
      day: utcDayOf(now),
      read: true,
      marker: null,
    });
    const job = await acceptAppRefresh(tx, ctx, { appId, listingId });
    await refreshBudget(tx, ctx);
    await requireRoomForApps(tx, ctx);
    await writeAudit(tx, ctx, {
      action: 'app.added',
      subject: `app ${appId}`,
      detail: { store, storeAppId },
    });
    return { created: true, app: presentApp(await getApp(tx, ctx, appId), ctx.stores), job };
  });
}

async function bringBack(tx: Tx, ctx: Ctx, row: AppRow | undefined): Promise<AppRecord | null> {
  if (!row) return null;
  if (!row.archivedAt) return presentApp(row, ctx.stores);
  await unarchiveApp(tx, ctx, row.id);
  return presentApp(await getApp(tx, ctx, row.id), ctx.stores);
}
