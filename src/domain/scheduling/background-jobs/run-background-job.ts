import { unexplainedFailure } from '#contract/unexplained-failure.ts';
import {
  completeBackgroundJob,
  continueBackgroundJob,
  rescheduleBackgroundJob,
  startBackgroundJob,
  type BackgroundJobRow,
  type JobKindsByWorkspace,
} from '#db/queries/jobs/background-jobs.ts';
import { inSystem } from '#domain/base/context.ts';
import { describeFailure } from '#domain/base/jobs/describe-failure.ts';
import { PermanentFailure } from '#domain/base/jobs/permanent-failure.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { withTimeLimit } from '#lib/time-limit.ts';
import { activeSpan } from '#lib/tracing.ts';
import { reportFailure } from './report-failure.ts';

/**
 * A kind of accepted work that is no work of a store's day. It may be started again after a crash
 * or a timeout, so its effects must be idempotent.
 */
export interface BackgroundJob {
  name: BackgroundJobRow['kind'];
  /**
   * The delay after each failed attempt; one failure more ends the job as failed, and so does a
   * PermanentFailure.
   */
  retry: { delaysMs: readonly number[] };
  /**
   * The state of the row between two attempts. Clients can cancel `queued` jobs, so a job whose
   * failed attempt may leave something half done stays `running`.
   */
  stateBeforeRetry: 'queued' | 'running';
  timeoutMs: number;
  /**
   * Returns the path of its result, or when to run it again for the part that is left, so that long
   * work does not keep others waiting. Throws when it failed. It calls `survived` when it has
   * written something that stays, so that a crash after it is not held against the job.
   */
  run(
    services: CheckServices,
    row: BackgroundJobRow,
    signal: AbortSignal,
    survived: () => Promise<void>,
  ): Promise<{ path: string } | { continueAt: Date } | null>;
}

/**
 * Runs one accepted job and records how it ended: succeeded, to be retried, or failed. Throws only
 * when it was aborted by `signal`, or when the database is unavailable.
 */
export async function runBackgroundJob(
  services: CheckServices,
  { jobs, kinds }: { jobs: readonly BackgroundJob[]; kinds: JobKindsByWorkspace },
  jobId: number,
  signal: AbortSignal,
  survived: () => Promise<void> = async () => undefined,
): Promise<void> {
  const { systemDb, clock } = services;
  const row = await startBackgroundJob(systemDb, { id: jobId, now: clock.now(), kinds });
  if (!row) return;
  const job = jobs.find(({ name }) => name === row.kind);
  if (!job) throw new Error(`unknown job type ${row.kind}`);
  activeSpan()?.set({ 'toprung.job': row.kind });
  try {
    const { timeoutMs } = job;
    const result = await withTimeLimit({ timeoutMs, signal }, (limited) =>
      job.run(services, row, limited, survived),
    );
    if (result !== null && 'continueAt' in result)
      return await continueBackgroundJob(systemDb, jobId, result.continueAt);
    await completeBackgroundJob(systemDb, jobId, {
      state: 'succeeded',
      error: null,
      result,
      now: clock.now(),
    });
  } catch (error) {
    if (signal.aborted) throw error;
    await retryOrFail(services, job, row, error);
  }
}

async function retryOrFail(
  services: CheckServices,
  { retry, stateBeforeRetry }: BackgroundJob,
  job: BackgroundJobRow,
  error: unknown,
): Promise<void> {
  const { systemDb, clock, log } = services;
  const { id, kind } = job;
  const attempts = job.attempts + 1;
  const now = clock.now();
  const isPermanent = error instanceof PermanentFailure;
  const retryAfterMs = isPermanent ? undefined : retry.delaysMs[attempts - 1];
  const facts = { job: id, kind, attempts, error: (error as Error).message };
  if (retryAfterMs !== undefined) {
    log.warn({ ...facts, retryAfterMs }, 'background job failed, will retry');
    const until = new Date(now.getTime() + retryAfterMs);
    return rescheduleBackgroundJob(systemDb, id, { until, state: stateBeforeRetry });
  }
  log.error(facts, `background job failed, ${isPermanent ? 'for good' : 'no retry left'}`);
  await inSystem(services, async (tx) => {
    await completeBackgroundJob(tx, id, {
      state: 'failed',
      error: isPermanent ? error.message : explainAttempts(attempts, error),
      result: null,
      now,
    });
    await reportFailure(tx, services, job);
  });
}

function explainAttempts(attempts: number, error: unknown): string {
  const reason = describeFailure(error);
  const explanation = reason === null ? `; ${unexplainedFailure}` : `, at last because: ${reason}`;
  return `it failed ${attempts} times${explanation}`;
}
