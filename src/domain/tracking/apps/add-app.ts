import type { Tx } from '#db/database.ts';
import { findAppOfStore, insertApp, lockApp, type AppRow } from '#db/queries/apps/apps.ts';
import { refreshListingDemand } from '#db/queries/rankings/markets.ts';
import { completeListings } from '#db/queries/listings/listing-schedule.ts';
import { utcDayOf } from '#lib/dates.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { refreshBudget } from '#domain/base/budget/refresh-budget.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import {
  acceptAppRefresh,
  assertQueueCapacity,
  type JobReference,
} from '#domain/base/jobs/accept-job.ts';
import { recordListing } from '../listings/record-listing.ts';
import { readListing } from '../store-lookups/fetch-listing.ts';
import { resolveStoreApp, type StoreAppQuery } from '../store-lookups/resolve-store-app.ts';
import { isDueForDeletion, unarchiveApp } from './archive-app.ts';
import { purgeApp } from './delete-app.ts';
import { getApp } from './get-app.ts';
import { presentApp, type AppRecord } from './present-app.ts';
import { parseTags } from '#domain/base/text/parse-tags.ts';
import { assertAppQuota } from './assert-app-quota.ts';

export type AddAppInput = StoreAppQuery & {
  lookupCountry?: string | undefined;
  tags?: string[] | undefined;
};

export type AddedApp =
  | { created: true; app: AppRecord; job: JobReference }
  | { created: false; app: AppRecord };

const defaultCountry = 'us';

/**
 * Tracks an app. Reading its listing proves that it exists and gives its first snapshot; a job does
 * the remaining work. An app that is already tracked is returned unchanged, and an archived one is
 * restored, unless its 30 days are over: then it is a new app. Two concurrent calls create one app.
 * Throws invalid_request, quota_apps, store_app_not_found, queue_full, or StoreError; in all cases
 * nothing is written, but an app whose 30 days are over stays deleted.
 */
export async function addApp(ctx: Ctx, input: AddAppInput, signal: AbortSignal): Promise<AddedApp> {
  const tags = parseTags(input.tags) ?? [];
  const { store, storeAppId, country: countryOfUrl } = resolveStoreApp(ctx.stores, input);
  await assertQueueCapacity(ctx);
  const known = await inTenant(ctx, async (tx) =>
    restoreExisting(tx, ctx, await findAppOfStore(tx, ctx.workspaceId, store, storeAppId)),
  );
  if (known) return { created: false, app: known };

  const country = input.lookupCountry ?? countryOfUrl ?? defaultCountry;
  const { listing, language } = await readListing(ctx, { store, storeAppId, country }, signal);
  const now = ctx.clock.now();
  return inTenant(ctx, async (tx): Promise<AddedApp> => {
    const { listingId } = await recordListing(tx, {
      store,
      listing,
      country,
      language,
      now,
      keepsLost: true,
    });
    const appId = await insertApp(tx, ctx.workspaceId, {
      listingId,
      primaryCountry: country,
      tags,
      createdAt: now,
    });
    if (appId === undefined) {
      const added = await restoreExisting(
        tx,
        ctx,
        await findAppOfStore(tx, ctx.workspaceId, store, storeAppId),
      );
      return { created: false, app: added! };
    }
    await refreshListingDemand(tx, [listingId]);
    // This reading counts as today's, so that the listing is not read twice.
    await completeListings(tx, {
      listingIds: [listingId],
      country,
      day: utcDayOf(now),
      read: true,
      marker: null,
    });
    const job = await acceptAppRefresh(tx, ctx, { appId, listingId });
    await refreshBudget(tx, ctx);
    await assertAppQuota(tx, ctx);
    await writeAudit(tx, ctx, {
      action: 'app.added',
      subject: `app ${appId}`,
      detail: { store, storeAppId },
    });
    return { created: true, app: presentApp(await getApp(tx, ctx, appId), ctx.stores), job };
  });
}

async function restoreExisting(
  tx: Tx,
  ctx: Ctx,
  row: AppRow | undefined,
): Promise<AppRecord | null> {
  if (!row) return null;
  if (!row.archivedAt) return presentApp(row, ctx.stores);
  if (isDueForDeletion(row, ctx.clock.now())) {
    // Another call, or the retention, may have deleted it meanwhile.
    if (await lockApp(tx, ctx.workspaceId, row.id)) await purgeApp(tx, ctx, row.id);
    return null;
  }
  await unarchiveApp(tx, ctx, row.id);
  return presentApp(await getApp(tx, ctx, row.id), ctx.stores);
}
