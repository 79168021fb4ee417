import { hash } from 'node:crypto';
import type { z } from 'zod';
import type { jobReference } from '#contract/common.ts';
import { afterCommit, type Tx } from '#db/database.ts';
import {
  countJobParts,
  listListingCountries,
  listRequestedParts,
  type StoredPart,
  type StoreJobPayload,
} from '#db/queries/jobs/job-parts.ts';
import { insertJob, type JobKind, type StoreJobKind } from '#db/queries/jobs/jobs.ts';
import {
  markListingsUrgent,
  markMarketsUrgent,
  markStoreTasksUrgent,
} from '#db/queries/jobs/urgency.ts';
import { utcDayOf } from '#lib/dates.ts';
import { activeTraceparent } from '#lib/tracing.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { takeFirstChecks } from './first-check-allowance.ts';

export type JobReference = z.input<typeof jobReference>;

/** Throws while the queue store is at its limit, before anything is written. */
export async function assertQueueCapacity(ctx: Pick<Ctx, 'queueCapacity'>): Promise<void> {
  const used = await ctx.queueCapacity.usedBytes();
  if (used !== null && used >= ctx.queueCapacity.capBytes * 0.95) throw new AppError('queue_full');
}

/**
 * Accepts the first checks of keywords. The job's row and the urgency of its markets are written in
 * the caller's transaction, so that work announced by a 202 or 201 survives any crash. The
 * scheduler does the rest. Null when the plan's allowance of the day is used up: the daily run then
 * checks them.
 */
export async function acceptFirstCheck(
  tx: Tx,
  ctx: Ctx,
  input: { appId: number; marketIds: number[] },
): Promise<JobReference | null> {
  const now = ctx.clock.now();
  const day = utcDayOf(now);
  const marketIds = await takeFirstChecks(tx, ctx, input.marketIds);
  if (marketIds.length === 0) return null;
  const marked = { day, now, includeCompleted: true };
  await markMarketsUrgent(tx, ctx.workspaceId, marketIds, marked);
  return acceptStoreJob(tx, ctx, {
    appId: input.appId,
    kind: 'first-check',
    dedupeKey: null,
    payload: { day, marketIds },
  });
}

/** Accepts today's work of one app. A second call while the first is open returns the same job. */
export async function acceptRunDaily(
  tx: Tx,
  ctx: Ctx,
  input: { appId: number; listingId: number; marketIds: number[]; storeTaskIds: number[] },
): Promise<JobReference> {
  const now = ctx.clock.now();
  const day = utcDayOf(now);
  const { appId, listingId, marketIds, storeTaskIds } = input;
  await markMarketsUrgent(tx, ctx.workspaceId, marketIds, { day, now });
  const countries = await requestListing(tx, ctx, { appId, listingId });
  await markStoreTasksUrgent(tx, ctx.workspaceId, storeTaskIds, { day, now });
  return acceptStoreJob(tx, ctx, {
    appId,
    kind: 'run-daily',
    dedupeKey: `run-daily_${appId}_${day}`,
    payload: { day, marketIds, listingId, countries, storeTaskIds },
  });
}

/**
 * Accepts checks of chosen markets whose keywords have no position today: a gap of the day is tried
 * again. The same choice while its job is open returns that job.
 */
export async function acceptKeywordCheck(
  tx: Tx,
  ctx: Ctx,
  { appId, marketIds }: { appId: number; marketIds: number[] },
): Promise<JobReference> {
  const now = ctx.clock.now();
  const day = utcDayOf(now);
  await markMarketsUrgent(tx, ctx.workspaceId, marketIds, { day, now, includeCompleted: true });
  const choice = hash('sha256', marketIds.toSorted((a, b) => a - b).join());
  return acceptStoreJob(tx, ctx, {
    appId,
    kind: 'keyword-check',
    // `retryJob` replaces the day at the end.
    dedupeKey: `keyword-check_${appId}_${choice}_${day}`,
    payload: { day, marketIds },
  });
}

/**
 * Accepts a refresh of a listing in its countries: that of an app, or of a competitor of the app,
 * whose jobs have a key of their own.
 */
export async function acceptAppRefresh(
  tx: Tx,
  ctx: Ctx,
  {
    appId,
    listingId,
    key = `app-refresh_${appId}`,
  }: {
    appId: number;
    listingId: number;
    key?: string;
  },
): Promise<JobReference> {
  const day = utcDayOf(ctx.clock.now());
  const countries = await requestListing(tx, ctx, { appId, listingId });
  return acceptStoreJob(tx, ctx, {
    appId,
    kind: 'app-refresh',
    dedupeKey: `${key}_${day}`,
    payload: { day, listingId, countries },
  });
}

/**
 * Requests a listing in the countries of this app, and returns them. Countries that are tracked
 * later are not part of the job: the day's run may be over.
 */
export async function requestListing(
  tx: Tx,
  ctx: Ctx,
  { appId, listingId }: { appId: number | null; listingId: number },
): Promise<string[]> {
  const now = ctx.clock.now();
  const payload = { listingId, countries: await listListingCountries(tx, listingId) };
  const { countries } = await listRequestedParts(tx, ctx.workspaceId, { appId, payload });
  const marked = { day: utcDayOf(now), now, countries };
  await markListingsUrgent(tx, ctx.workspaceId, [listingId], marked);
  return countries;
}

/** Accepts store work whose rows are marked as urgent in the same transaction. */
export async function acceptStoreJob(
  tx: Tx,
  ctx: Ctx,
  job: {
    appId: number;
    kind: StoreJobKind;
    dedupeKey: string | null;
    payload: StoreJobPayload;
  },
): Promise<JobReference> {
  const counted = await countJobParts(tx, ctx.workspaceId, job, ctx.clock.now());
  return accept(tx, ctx, { ...job, ...counted });
}

/**
 * Accepts work of any kind in the caller's transaction. For payload keys see StoreJobPayload and
 * the file of the kind.
 */
export async function accept(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId' | 'clock' | 'wake'>,
  job: {
    appId: number | null;
    kind: JobKind;
    dedupeKey: string | null;
    payload: object;
    total: number;
    done?: number;
    parts?: StoredPart[];
  },
): Promise<JobReference> {
  const row = await insertJob(tx, {
    ...job,
    workspaceId: ctx.workspaceId,
    queuedAt: ctx.clock.now(),
    traceparent: activeTraceparent(),
  });
  afterCommit(tx, ctx.wake);
  return {
    id: Number(row.id),
    kind: job.kind,
    state: row.state as JobReference['state'],
    queuedAt: row.queuedAt.toISOString(),
    deduped: row.deduped,
  };
}
