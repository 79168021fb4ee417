import {
  cancelJob as updateCancelled,
  findOpenJob,
  lockJob,
  reopenJob,
  type ChangeableJob,
} from '#db/queries/jobs/job-changes.ts';
import { findJobRow } from '#db/queries/jobs/job-list.ts';
import {
  countJobParts,
  listRequestedParts,
  type StoredPart,
  type StoreJobPayload,
} from '#db/queries/jobs/job-parts.ts';
import { markMarketsUrgent, markStoreTasksUrgent } from '#db/queries/jobs/urgency.ts';
import { isStoreJob, type JobKind } from '#db/queries/jobs/jobs.ts';
import { afterCommit, type Tx } from '#db/database.ts';
import { utcDayOf } from '#lib/dates.ts';
import { inTenant, type Ctx } from '../context.ts';
import { invalid, notFound } from '../errors.ts';
import { assertQueueCapacity, requestListing } from './accept-job.ts';
import { toJob, type JobRecord } from './get-job.ts';

/**
 * Retries a job that ended without success, for today. An open job is not changed. Throws
 * not_found.
 */
export async function retryJob(ctx: Ctx, jobId: number): Promise<JobRecord> {
  await assertQueueCapacity(ctx);
  return inTenant(ctx, async (tx) => {
    const job = await lockOwn(tx, ctx, jobId);
    if (job.state === 'succeeded')
      throw invalid('jobId', 'the job succeeded; request new work instead', job.state);
    if (job.state === 'queued' || job.state === 'running') return read(tx, ctx, jobId);
    const day = utcDayOf(ctx.clock.now());
    const dedupeKey = job.dedupeKey?.replace(/\d{4}-\d{2}-\d{2}$/, day) ?? null;
    const open = dedupeKey === null ? undefined : await findOpenJob(tx, ctx.workspaceId, dedupeKey);
    if (open !== undefined)
      throw invalid('jobId', `the same work is already open as job ${open}`, open);
    const payload = await requestAgain(tx, ctx, job, day);
    const counted = await countParts(tx, ctx, job, payload);
    await reopenJob(tx, ctx.workspaceId, { id: job.id, dedupeKey, payload, ...counted });
    afterCommit(tx, ctx.wake);
    return read(tx, ctx, jobId);
  });
}

/** A background job counts what it has done itself, and continues with the rest. */
async function countParts(
  tx: Tx,
  ctx: Ctx,
  { kind, appId, total, done }: ChangeableJob,
  payload: StoreJobPayload,
): Promise<{ total: number; done: number; parts?: StoredPart[] }> {
  if (!isStoreJob(kind)) return { total, done };
  return countJobParts(tx, ctx.workspaceId, { appId, payload }, ctx.clock.now());
}

/** Kinds whose run looks at its row between two steps, and ends when it is cancelled. */
const stoppable: readonly JobKind[] = ['country-scores'];

/**
 * Cancels a queued job: one that has not started, or an email that waits for its retry. Scores in
 * countries are cancelled while they run, too; what is scored stays. A second call changes nothing.
 * Throws not_found, and invalid_request for a job in another state.
 */
export function cancelJob(ctx: Ctx, jobId: number): Promise<JobRecord> {
  return inTenant(ctx, async (tx) => {
    const job = await lockOwn(tx, ctx, jobId);
    if (job.state === 'cancelled') return read(tx, ctx, jobId);
    const canStop = job.state === 'running' && stoppable.includes(job.kind);
    if (job.state !== 'queued' && !canStop)
      throw invalid('jobId', 'only a queued job can be cancelled', job.state);
    await updateCancelled(tx, ctx.workspaceId, job.id, ctx.clock.now());
    return read(tx, ctx, jobId);
  });
}

async function lockOwn(tx: Tx, ctx: Ctx, jobId: number): Promise<ChangeableJob> {
  const job = await lockJob(tx, ctx.workspaceId, jobId);
  if (!job) throw notFound();
  return job;
}

async function read(tx: Tx, ctx: Ctx, jobId: number): Promise<JobRecord> {
  return toJob((await findJobRow(tx, ctx.workspaceId, jobId))!);
}

/**
 * Requests the job's store work for a day, as far as its app still requests it; a background job
 * has none. Returns its payload.
 */
async function requestAgain(
  tx: Tx,
  ctx: Ctx,
  { appId, payload }: ChangeableJob,
  day: string,
): Promise<StoreJobPayload> {
  const now = ctx.clock.now();
  const own = await listRequestedParts(tx, ctx.workspaceId, { appId, payload });
  const { marketIds, storeTaskIds } = own;
  if (marketIds.length > 0) {
    const marked = { day, now, includeCompleted: true };
    await markMarketsUrgent(tx, ctx.workspaceId, marketIds, marked);
  }
  if (storeTaskIds.length > 0)
    await markStoreTasksUrgent(tx, ctx.workspaceId, storeTaskIds, { day, now });
  const { listingId } = payload;
  const again = {
    ...payload,
    day,
    ...(payload.marketIds && { marketIds }),
    ...(payload.storeTaskIds && { storeTaskIds }),
  };
  if (listingId === undefined) return again;
  return { ...again, countries: await requestListing(tx, ctx, { appId, listingId }) };
}
