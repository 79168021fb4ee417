import type { Tx } from '../../db/database.ts';
import {
  listWorkspacesToGenerate,
  lockActionRun,
  markAfterRun,
  setActionRunJob,
} from '../../db/queries/action-runs.ts';
import { reopenDueActions } from '../../db/queries/actions.ts';
import { findOpenJob, lockJob, reopenJob } from '../../db/queries/job-changes.ts';
import { findJobRow } from '../../db/queries/job-list.ts';
import { afterCommit } from '../../db/database.ts';
import { utcDayOf } from '../../lib/dates.ts';
import { inSystem, inTenant, type Ctx, type Services } from '../context.ts';
import { accept, requireHeadroom, type JobReference } from '../jobs/accept.ts';
import type { HouseJobRow } from '../jobs/house-work.ts';
import type { CheckServices } from '../rankings/check-market.ts';
import { generateActions } from './generate-actions.ts';

type Accepting = Pick<Ctx, 'workspaceId' | 'clock' | 'wake'>;

const poll = '/actions';
const workspacesAtOnce = 50;
/** For a store that is out nobody waits longer. */
const patienceMs = 6 * 3_600_000;

/** Accepts the day's generation, or points to the one of this UTC day. Throws queue_full. */
export async function requestActionsRun(ctx: Ctx): Promise<{ job: JobReference; poll: string }> {
  await requireHeadroom(ctx);
  const job = await inTenant(ctx, async (tx) => {
    const day = utcDayOf(ctx.clock.now());
    const { jobId } = await lockActionRun(tx, ctx.workspaceId, day);
    return jobId === null ? acceptRun(tx, ctx, day) : pointToRun(tx, ctx, day, jobId);
  });
  return { job, poll };
}

/** Does it. Begun again it changes nothing that was done. */
export async function runActions(
  services: CheckServices,
  job: HouseJobRow,
  signal: AbortSignal,
): Promise<{ path: string }> {
  await generateActions(services, job.workspaceId, signal);
  return { path: poll };
}

/**
 * Opens what was put away until now, and has actions looked for in workspaces whose checks of the day are done, or whose store
 * has been out for hours: once a day, also where somebody had them looked for before that.
 */
export async function sweepActions(services: Services): Promise<void> {
  const now = services.clock.now();
  const day = utcDayOf(now);
  await inSystem(services, (tx) => reopenDueActions(tx, now));
  const patience = new Date(now.getTime() - patienceMs);
  for (const workspaceId of await listWorkspacesToGenerate(services.systemDb, {
    day,
    patience,
    limit: workspacesAtOnce,
  })) {
    await inSystem(services, (tx) => runAfterChecks(tx, { ...services, workspaceId }, day));
  }
}

async function acceptRun(tx: Tx, ctx: Accepting, day: string): Promise<JobReference> {
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

/** The job of the day as it stands; one that did not succeed is done again. */
async function pointToRun(
  tx: Tx,
  ctx: Accepting,
  day: string,
  jobId: number,
): Promise<JobReference> {
  const job = await lockJob(tx, ctx.workspaceId, jobId);
  if (job && (job.state === 'failed' || job.state === 'cancelled'))
    await queueAgain(tx, ctx, day, job.id);
  const row = (await findJobRow(tx, ctx.workspaceId, jobId))!;
  return {
    id: jobId,
    kind: row.kind,
    state: row.state,
    queuedAt: row.queuedAt.toISOString(),
    dedupedWith: jobId,
  };
}

async function runAfterChecks(tx: Tx, ctx: Accepting, day: string): Promise<void> {
  const { jobId } = await lockActionRun(tx, ctx.workspaceId, day);
  const job = jobId === null ? undefined : await lockJob(tx, ctx.workspaceId, jobId);
  // It may have read before the last check: once it has ended it is done again.
  if (job?.state === 'running') return;
  await markAfterRun(tx, ctx.workspaceId, day);
  if (job === undefined) await acceptRun(tx, ctx, day);
  else if (job.state !== 'queued') await queueAgain(tx, ctx, day, job.id);
}

async function queueAgain(tx: Tx, ctx: Accepting, day: string, id: bigint): Promise<void> {
  const dedupeKey = keyOfDay(day);
  // A job of an earlier day that somebody had retried does the same work.
  if ((await findOpenJob(tx, ctx.workspaceId, dedupeKey)) !== undefined) return;
  await reopenJob(tx, ctx.workspaceId, { id, day, total: 0, dedupeKey });
  afterCommit(tx, ctx.wake);
}

const keyOfDay = (day: string): string => `actions-run_${day}`;
