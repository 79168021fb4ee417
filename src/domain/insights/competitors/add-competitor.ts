import type { Tx } from '#db/database.ts';
import { lockApp } from '#db/queries/apps/apps.ts';
import {
  countCompetitors,
  findCompetitorOfStore,
  type KnownCompetitor,
  upsertCompetitor,
} from '#db/queries/competitors/competitors.ts';
import { refreshListingDemand } from '#db/queries/rankings/markets.ts';
import { completeListings } from '#db/queries/listings/listing-schedule.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { archivedSpans } from '#domain/tracking/apps/archive-app.ts';
import { getActiveApp } from '#domain/tracking/apps/get-app.ts';
import { assertStorable } from '#domain/base/text/parse-tags.ts';
import { refreshBudget } from '#domain/base/budget/refresh-budget.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid } from '#domain/base/errors.ts';
import {
  acceptAppRefresh,
  assertQueueCapacity,
  type JobReference,
} from '#domain/base/jobs/accept-job.ts';
import { recordListing } from '#domain/tracking/listings/record-listing.ts';
import { maxPosition } from '#domain/tracking/rankings/daily-rank-codec.ts';
import {
  parseTrackingPeriods,
  trackedDepthOn,
  withTrackingPeriod,
} from '#domain/tracking/rankings/tracking-periods.ts';
import { readListing } from '#domain/tracking/store-lookups/fetch-listing.ts';
import { resolveStoreApp } from '#domain/tracking/store-lookups/resolve-store-app.ts';
import { readCompetitor } from './list-competitors.ts';
import type { CompetitorRecord } from './present-competitor.ts';

export type AddCompetitorInput = ({ url: string } | { storeAppId: string }) & {
  relationship?: string | undefined;
};

export type AddedCompetitor =
  | { created: true; competitor: CompetitorRecord; job: JobReference }
  | { created: false; competitor: CompetitorRecord; job: JobReference | null };

const maxCompetitors = 50;

/**
 * Creates a competitor from another app of the store: its listing is read now and then daily, and
 * its positions are recorded wherever the app's are. Its past comes from stored results. An
 * existing one is returned, and a deleted one restored. Throws not_found, invalid_request,
 * store_app_not_found, queue_full, or StoreError; in all cases nothing is written.
 */
export async function addCompetitor(
  ctx: Ctx,
  appId: number,
  input: AddCompetitorInput,
  signal: AbortSignal,
): Promise<AddedCompetitor> {
  assertStorable('relationship', input.relationship);
  const app = await inTenant(ctx, (tx) => getActiveApp(tx, ctx, appId));
  const isByUrl = 'url' in input;
  const { store, storeAppId } = resolveStoreApp(
    ctx.stores,
    isByUrl ? { url: input.url } : { store: app.store, storeAppId: input.storeAppId },
  );
  if (store !== app.store) throw invalid('url', 'an app of the same store', store);
  if (storeAppId === app.storeAppId)
    throw invalid(isByUrl ? 'url' : 'storeAppId', 'another app than this one', storeAppId);
  await assertQueueCapacity(ctx);
  const live = await inTenant(ctx, (tx) => findLive(tx, ctx, appId, storeAppId));
  if (live) return { created: false, competitor: live, job: null };

  const country = app.primaryCountry;
  const { listing, language } = await readListing(ctx, { store, storeAppId, country }, signal);
  const now = ctx.clock.now();
  return inTenant(ctx, async (tx): Promise<AddedCompetitor> => {
    // Locked, so that the app is not archived in the meantime and a concurrent call finds the
    // competitor.
    await lockApp(tx, ctx.workspaceId, appId);
    await getActiveApp(tx, ctx, appId);
    const known = await findCompetitorOfStore(tx, ctx.workspaceId, appId, storeAppId);
    if (known && known.archivedAt === null)
      return {
        created: false,
        competitor: await readCompetitor(tx, ctx, appId, known.id),
        job: null,
      };
    await assertWithinLimits(tx, ctx, appId);
    const { listingId } = await recordListing(tx, {
      store,
      listing,
      country,
      language,
      now,
      keepsLost: true,
    });
    const id = await upsertCompetitor(tx, ctx.workspaceId, {
      appId,
      listingId,
      relationship: input.relationship ?? null,
      ...trackedFrom(known, now),
      now,
    });
    await refreshListingDemand(tx, [listingId]);
    // This reading counts as today's, so that the listing is not read twice.
    await completeListings(tx, {
      listingIds: [listingId],
      country,
      day: utcDayOf(now),
      read: true,
      marker: null,
    });
    const job = await acceptReading(tx, ctx, { appId, id, listingId });
    await refreshBudget(tx, ctx);
    await writeAudit(tx, ctx, {
      action: 'competitor.added',
      subject: `competitor ${id}`,
      detail: { appId, storeAppId },
    });
    const competitor = await readCompetitor(tx, ctx, appId, id);
    return known ? { created: false, competitor, job } : { created: true, competitor, job };
  });
}

/** Whole days are tracked: from tomorrow on, or as before when it was archived on this day. */
function trackedFrom(known: KnownCompetitor | undefined, now: Date) {
  const today = utcDayOf(now);
  const periods = parseTrackingPeriods(known?.trackingPeriods ?? []);
  const spans = known?.archivedAt ? archivedSpans(known.archivedAt, now) : [];
  const wasTracked = (trackedDepthOn(periods, addDays(today, -1)) ?? 0) > 0;
  const first = wasTracked && spans.length === 0 ? today : addDays(today, 1);
  return {
    trackingPeriods: withTrackingPeriod(periods, first, maxPosition),
    archivedSpans: spans,
  };
}

async function findLive(
  tx: Tx,
  ctx: Ctx,
  appId: number,
  storeAppId: string,
): Promise<CompetitorRecord | null> {
  const known = await findCompetitorOfStore(tx, ctx.workspaceId, appId, storeAppId);
  if (known && known.archivedAt === null) return readCompetitor(tx, ctx, appId, known.id);
  await assertWithinLimits(tx, ctx, appId);
  return null;
}

async function assertWithinLimits(tx: Tx, ctx: Ctx, appId: number): Promise<void> {
  const count = await countCompetitors(tx, ctx.workspaceId, appId);
  if (count >= maxCompetitors)
    throw invalid('id', `at most ${maxCompetitors} competitors per app`, count + 1, maxCompetitors);
}

/** Reads its listing in the app's other countries. */
function acceptReading(
  tx: Tx,
  ctx: Ctx,
  { appId, id, listingId }: { appId: number; id: number; listingId: number },
): Promise<JobReference> {
  return acceptAppRefresh(tx, ctx, { appId, listingId, key: `competitor-refresh_${id}` });
}
