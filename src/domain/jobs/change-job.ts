import {
  cancelJob as updateCancelled,
  findOpenJob,
  lockJob,
  reopenJob,
  type ChangeableJob,
} from '../../db/queries/job-changes.ts';
import { findJobRow } from '../../db/queries/job-list.ts';
import { markChoresUrgent, markListingsUrgent, markMarketsUrgent } from '../../db/queries/jobs.ts';
import { afterCommit, type Tx } from '../../db/database.ts';
import { utcDayOf } from '../../lib/dates.ts';
import { inTenant, type Ctx } from '../context.ts';
import { invalid, notFound } from '../errors.ts';
import { requireHeadroom } from './accept.ts';
import { toJob, type JobRecord } from './get-job.ts';

/** Does work again that ended without success, for today; work that is open is left alone. Throws not_found. */
export async function retryJob(ctx: Ctx, jobId: number): Promise<JobRecord> {
  await requireHeadroom(ctx);
  return inTenant(ctx, async (tx) => {
    const job = await lockOwn(tx, ctx, jobId);
    if (job.state === 'succeeded')
      throw invalid('jobId', 'it succeeded; ask for the work anew', job.state);
    if (job.state === 'queued' || job.state === 'running') return read(tx, ctx, jobId);
    const day = utcDayOf(ctx.clock.now());
    const dedupeKey = job.dedupeKey?.replace(/\d{4}-\d{2}-\d{2}$/, day) ?? null;
    const open = dedupeKey === null ? undefined : await findOpenJob(tx, ctx.workspaceId, dedupeKey);
    if (open !== undefined)
      throw invalid('jobId', `the same work is open already, as job ${open}`, open);
    await reopenJob(tx, ctx.workspaceId, {
      id: job.id,
      day,
      total: await markUrgent(tx, ctx, job, day),
      dedupeKey,
    });
    afterCommit(tx, ctx.wake);
    return read(tx, ctx, jobId);
  });
}

/** Cancels work that has not begun; a second time changes nothing. Throws not_found; invalid_request for what began or ended. */
export function cancelJob(ctx: Ctx, jobId: number): Promise<JobRecord> {
  return inTenant(ctx, async (tx) => {
    const job = await lockOwn(tx, ctx, jobId);
    if (job.state === 'cancelled') return read(tx, ctx, jobId);
    if (job.state !== 'queued')
      throw invalid('jobId', 'only work that has not begun can be cancelled', job.state);
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

/** How much store work there is to wait for; house work counts none. */
async function markUrgent(
  tx: Tx,
  ctx: Ctx,
  { payload }: ChangeableJob,
  day: string,
): Promise<number> {
  const now = ctx.clock.now();
  const { marketIds = [], choreIds = [], listingId } = payload;
  const markets =
    marketIds.length > 0
      ? await markMarketsUrgent(tx, marketIds, { day, now, evenSettled: true })
      : 0;
  const listings = listingId === undefined ? 0 : await markListingsUrgent(tx, listingId, day, now);
  return (
    markets +
    listings +
    (choreIds.length > 0 ? await markChoresUrgent(tx, choreIds, { day, now }) : 0)
  );
}
