import type { Tx } from '#db/database.ts';
import {
  listWorkspacesToGenerate,
  lockActionRun,
  markRanAfterChecks,
  setActionRunJob,
} from '#db/queries/actions/action-runs.ts';
import { reopenDueActions } from '#db/queries/actions/actions.ts';
import { findOpenJob, lockJob, reopenJob } from '#db/queries/jobs/job-changes.ts';
import { findJobRow } from '#db/queries/jobs/job-list.ts';
import { afterCommit } from '#db/database.ts';
import { addDays, startOfDayMs, utcDayOf } from '#lib/dates.ts';
import { inSystem, inTenant, type Ctx, type Services } from '#domain/base/context.ts';
import { isClockPlausible } from '#domain/base/plausible-clock.ts';
import { accept, assertQueueCapacity, type JobReference } from '#domain/base/jobs/accept-job.ts';
import type { BackgroundJobRow } from '#db/queries/jobs/background-jobs.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { generateActions } from './generate-actions.ts';

type Accepting = Pick<Ctx, 'workspaceId' | 'clock' | 'wake'>;

const poll = '/actions';
const workspaceBatchSize = 50;
/** The longest wait for a failing store. */
const deadlineMs = 6 * 3_600_000;
/** After midnight its checks are those of another day, so a workspace waits no longer than this. */
const lastHourMs = 3_600_000;
const lastMinutesMs = 15 * 60_000;

/** Accepts the day's generation, or returns the job of this UTC day. Throws queue_full. */
export async function requestActionsRun(ctx: Ctx): Promise<{ job: JobReference; poll: string }> {
  await assertQueueCapacity(ctx);
  const job = await inTenant(ctx, async (tx) => {
    const day = utcDayOf(ctx.clock.now());
    const { jobId } = await lockActionRun(tx, ctx.workspaceId, day);
    return jobId === null ? enqueueRun(tx, ctx, day) : reuseRun(tx, ctx, day, jobId);
  });
  return { job, poll };
}

/** Runs the job. Idempotent. */
export async function runActions(
  services: CheckServices,
  job: BackgroundJobRow,
  signal: AbortSignal,
): Promise<{ path: string }> {
  await generateActions(services, job.workspaceId, signal);
  return { path: poll };
}

/**
 * Reopens actions whose snooze is over, and schedules the generation once a day, even after a
 * manual run, for workspaces whose checks of the day are done or whose store has failed for hours,
 * and at the end of the day for all others.
 */
export async function scheduleActionRuns(services: Services): Promise<void> {
  const now = services.clock.now();
  const day = utcDayOf(now);
  if (await isClockPlausible(services)) await inSystem(services, (tx) => reopenDueActions(tx, now));
  const deadline = new Date(now.getTime() - deadlineMs);
  for (const workspaceId of await listWorkspacesToGenerate(services.systemDb, {
    day,
    deadline,
    noWaitSince: noWaitSince(now),
    limit: workspaceBatchSize,
  })) {
    await inSystem(services, (tx) => enqueueRunAfterChecks(tx, { ...services, workspaceId }, day));
  }
}

/**
 * Nothing is waited for in runs opened up to the returned instant: in the last hour those that had
 * an hour at least, in the last minutes all of them. Null earlier in the day.
 */
function noWaitSince(now: Date): Date | null {
  const leftMs = startOfDayMs(addDays(utcDayOf(now), 1)) - now.getTime();
  if (leftMs <= lastMinutesMs) return now;
  return leftMs <= lastHourMs ? new Date(now.getTime() - lastHourMs) : null;
}

async function enqueueRun(tx: Tx, ctx: Accepting, day: string): Promise<JobReference> {
  const job = await accept(tx, ctx, {
    appId: null,
    kind: 'actions-run',
    dedupeKey: keyOfDay(day),
    payload: { day },
    total: 0,
  });
  await setActionRunJob(tx, ctx.workspaceId, day, job.id);
  return job;
}

/** The day's job; an unsuccessful one is retried. */
async function reuseRun(tx: Tx, ctx: Accepting, day: string, jobId: number): Promise<JobReference> {
  const job = await lockJob(tx, ctx.workspaceId, jobId);
  if (job && (job.state === 'failed' || job.state === 'cancelled'))
    await requeueRun(tx, ctx, day, job.id);
  const row = (await findJobRow(tx, ctx.workspaceId, jobId))!;
  return {
    id: jobId,
    kind: row.kind,
    state: row.state,
    queuedAt: row.queuedAt.toISOString(),
    deduped: true,
  };
}

async function enqueueRunAfterChecks(tx: Tx, ctx: Accepting, day: string): Promise<void> {
  const { jobId } = await lockActionRun(tx, ctx.workspaceId, day);
  const job = jobId === null ? undefined : await lockJob(tx, ctx.workspaceId, jobId);
  // It may have read before the last check, so it runs once more after its end.
  if (job?.state === 'running') return;
  await markRanAfterChecks(tx, ctx.workspaceId, day);
  if (job === undefined) await enqueueRun(tx, ctx, day);
  else if (job.state !== 'queued') await requeueRun(tx, ctx, day, job.id);
}

async function requeueRun(tx: Tx, ctx: Accepting, day: string, id: bigint): Promise<void> {
  const dedupeKey = keyOfDay(day);
  // A retried job of an earlier day does the same work.
  if ((await findOpenJob(tx, ctx.workspaceId, dedupeKey)) !== undefined) return;
  await reopenJob(tx, ctx.workspaceId, { id, dedupeKey, total: 0, payload: { day } });
  afterCommit(tx, ctx.wake);
}

const keyOfDay = (day: string): string => `actions-run_${day}`;
