import type { Tx } from '../../db/database.ts';
import { lockApp } from '../../db/queries/apps.ts';
import {
  countCompetitors,
  findCompetitorOfStore,
  upsertCompetitor,
} from '../../db/queries/competitors.ts';
import { markListingsUrgent } from '../../db/queries/jobs.ts';
import { refreshListingDemand } from '../../db/queries/markets.ts';
import { settleListings } from '../../db/queries/listing-schedule.ts';
import { addDays, utcDayOf } from '../../lib/dates.ts';
import { getActiveApp } from '../apps/find-app.ts';
import { requireStorable } from '../apps/read-own-words.ts';
import { refreshBudget } from '../budget/refresh-budget.ts';
import { writeAudit } from '../audit/write-audit.ts';
import { inTenant, type Ctx } from '../context.ts';
import { invalid } from '../errors.ts';
import { accept, requireHeadroom, type JobReference } from '../jobs/accept.ts';
import { recordListing } from '../listings/record-listing.ts';
import { maxPosition } from '../rankings/cells.ts';
import { readTerms, withTerm } from '../rankings/terms.ts';
import { readListing } from '../store-lookups/read-listing.ts';
import { resolveStoreApp } from '../store-lookups/resolve-store-app.ts';
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
 * Compares an app with another of its store: its listing is read now, and from here on daily; it is looked for wherever
 * the app is. Its past comes from the places that were kept. One that is there already is answered as it is, one that
 * was put away comes back. Throws not_found, invalid_request, store_app_not_found, queue_full, or StoreError; then
 * nothing was written.
 */
export async function addCompetitor(
  ctx: Ctx,
  appId: number,
  input: AddCompetitorInput,
  signal: AbortSignal,
): Promise<AddedCompetitor> {
  requireStorable('relationship', input.relationship);
  const app = await inTenant(ctx, (tx) => getActiveApp(tx, ctx, appId));
  const isByUrl = 'url' in input;
  const { store, storeAppId } = resolveStoreApp(
    ctx.stores,
    isByUrl ? { url: input.url } : { store: app.store, storeAppId: input.storeAppId },
  );
  if (store !== app.store) throw invalid('url', 'an app of the same store', store);
  if (storeAppId === app.storeAppId)
    throw invalid(isByUrl ? 'url' : 'storeAppId', 'another app than this one', storeAppId);
  await requireHeadroom(ctx);
  const live = await inTenant(ctx, (tx) => findLive(tx, ctx, appId, storeAppId));
  if (live) return { created: false, competitor: live, job: null };

  const country = app.primaryCountry;
  const { listing, language } = await readListing(ctx, { store, storeAppId, country }, signal);
  const now = ctx.clock.now();
  return inTenant(ctx, async (tx): Promise<AddedCompetitor> => {
    // Held, so that the app is not archived meanwhile, and of two who add the same the second finds it there.
    await lockApp(tx, ctx.workspaceId, appId);
    await getActiveApp(tx, ctx, appId);
    const known = await findCompetitorOfStore(tx, ctx.workspaceId, appId, storeAppId);
    if (known && !known.isArchived)
      return {
        created: false,
        competitor: await readCompetitor(tx, ctx, appId, known.id),
        job: null,
      };
    await requireRoom(tx, ctx, appId);
    const { listingId } = await recordListing(tx, { store, listing, country, language, now });
    const terms = withTerm(readTerms(known?.terms ?? []), addDays(utcDayOf(now), 1), maxPosition);
    const id = await upsertCompetitor(tx, ctx.workspaceId, {
      appId,
      listingId,
      relationship: input.relationship ?? null,
      terms,
      now,
    });
    await refreshListingDemand(tx, [listingId]);
    // The reading just kept is today's: it is not asked for twice.
    await settleListings(tx, {
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

async function findLive(
  tx: Tx,
  ctx: Ctx,
  appId: number,
  storeAppId: string,
): Promise<CompetitorRecord | null> {
  const known = await findCompetitorOfStore(tx, ctx.workspaceId, appId, storeAppId);
  if (known && !known.isArchived) return readCompetitor(tx, ctx, appId, known.id);
  await requireRoom(tx, ctx, appId);
  return null;
}

async function requireRoom(tx: Tx, ctx: Ctx, appId: number): Promise<void> {
  const count = await countCompetitors(tx, ctx.workspaceId, appId);
  if (count >= maxCompetitors)
    throw invalid('id', `at most ${maxCompetitors} competitors an app`, count + 1, maxCompetitors);
}

/** The reading of its listing in the app's other countries. */
async function acceptReading(
  tx: Tx,
  ctx: Ctx,
  { appId, id, listingId }: { appId: number; id: number; listingId: number },
): Promise<JobReference> {
  const now = ctx.clock.now();
  const day = utcDayOf(now);
  const total = await markListingsUrgent(tx, listingId, day, now);
  const payload = { day, marketIds: [], listingId };
  return accept(tx, ctx, {
    appId,
    kind: 'app-refresh',
    dedupeKey: `competitor-refresh_${id}_${day}`,
    payload,
    total,
  });
}
