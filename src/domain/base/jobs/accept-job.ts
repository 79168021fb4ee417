import type { z } from 'zod';
import type { jobReference } from '#contract/common.ts';
import { afterCommit, type Tx } from '#db/database.ts';
import { insertJob, type JobKind } from '#db/queries/jobs/jobs.ts';
import {
  markListingsUrgent,
  markMarketsUrgent,
  markStoreTasksUrgent,
} from '#db/queries/jobs/urgency.ts';
import { utcDayOf } from '#lib/dates.ts';
import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { takeFirstChecks } from './first-check-allowance.ts';

export type JobReference = z.input<typeof jobReference>;

/** Throws while the queue store is at its limit, before anything is written. */
export async function assertQueueCapacity(ctx: Pick<Ctx, 'headroom'>): Promise<void> {
  const used = await ctx.headroom.usedBytes();
  if (used !== null && used >= ctx.headroom.capBytes * 0.95) throw new AppError('queue_full');
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
  const total = await markMarketsUrgent(tx, ctx.workspaceId, marketIds, marked);
  return accept(tx, ctx, {
    appId: input.appId,
    kind: 'first-check',
    dedupeKey: null,
    payload: { day, marketIds },
    total,
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
  const markets = await markMarketsUrgent(tx, ctx.workspaceId, input.marketIds, { day, now });
  const listings = await markListingsUrgent(tx, ctx.workspaceId, [input.listingId], { day, now });
  const total =
    markets +
    listings +
    (await markStoreTasksUrgent(tx, ctx.workspaceId, input.storeTaskIds, { day, now }));
  const payload = {
    day,
    marketIds: input.marketIds,
    listingId: input.listingId,
    storeTaskIds: input.storeTaskIds,
  };
  return accept(tx, ctx, {
    appId: input.appId,
    kind: 'run-daily',
    dedupeKey: `run-daily_${input.appId}_${day}`,
    payload,
    total,
  });
}

/** Accepts a refresh of an app's listing in its countries. */
export async function acceptAppRefresh(
  tx: Tx,
  ctx: Ctx,
  input: { appId: number; listingId: number },
): Promise<JobReference> {
  const now = ctx.clock.now();
  const day = utcDayOf(now);
  const total = await markListingsUrgent(tx, ctx.workspaceId, [input.listingId], { day, now });
  const payload = { day, marketIds: [], listingId: input.listingId };
  return accept(tx, ctx, {
    appId: input.appId,
    kind: 'app-refresh',
    dedupeKey: `app-refresh_${input.appId}_${day}`,
    payload,
    total,
  });
}

/**
 * Accepts work of any kind in the caller's transaction. For payload keys see syncJobStatus and the
 * file of the kind.
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
  },
): Promise<JobReference> {
  const row = await insertJob(tx, {
    ...job,
    workspaceId: ctx.workspaceId,
    queuedAt: ctx.clock.now(),
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
