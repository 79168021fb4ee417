import {
  completeStoreTask,
  completeStoreTaskWithGap,
  findStoreTask,
  rescheduleStoreTask,
  type StoreTaskRow,
} from '#db/queries/store-tasks/store-tasks.ts';
import type { LostValues } from '#domain/tracking/drift/confirm-lost.ts';
import type { UtcDay } from '#lib/dates.ts';
import {
  planStoreRetry,
  type StoreRetryPolicy,
  type StoreWorkOptions,
} from '#domain/base/plan-store-retry.ts';
import { StoreError, type StoreRequestOptions } from '#domain/base/ports.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';

export type StoreTaskOutcome = 'done' | 'gap' | 'rescheduled' | 'skipped';

/**
 * Fetches a store task for a day and stores the response. Returns the requests it took, from which
 * the budget learns, and the values whose loss the next reading may confirm. Throws StoreError.
 */
export type FetchStoreTask = (
  services: CheckServices,
  task: StoreTaskRow,
  day: UtcDay,
  options: StoreRequestOptions,
) => Promise<{ requests: number } & Partial<LostValues>>;

/**
 * Runs one store task for `day`, which was fixed when it was planned. A task with an outcome is
 * repeated only while it is urgent. A failure stores nothing: the task is retried within the day,
 * then leaves a gap with its reason.
 */
export async function runStoreTask(
  services: CheckServices,
  fetchTask: FetchStoreTask,
  input: { storeTaskId: number; day: UtcDay },
  options: StoreWorkOptions,
): Promise<StoreTaskOutcome> {
  const task = await findStoreTask(services.systemDb, input.storeTaskId, input.day);
  if (!task?.active) return 'skipped';
  if (task.urgentAt === null && task.completedOn !== null && task.completedOn >= input.day)
    return 'skipped';
  try {
    const done = await fetchTask(services, task, input.day, options);
    await completeStoreTask(services.systemDb, { ...input, ...done });
    return 'done';
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return handleStoreFailure(services, options.retry, { task, day: input.day, error });
  }
}

async function handleStoreFailure(
  services: CheckServices,
  retry: StoreRetryPolicy,
  { task, day, error }: { task: StoreTaskRow; day: UtcDay; error: StoreError },
): Promise<StoreTaskOutcome> {
  const { id: storeTaskId, store, kind, country } = task;
  const { marker } = error;
  const decision = planStoreRetry(retry, error, task.attempts, services.clock.now());
  if (decision.kind === 'give-up') {
    await completeStoreTaskWithGap(services.systemDb, { storeTaskId, day, marker });
    services.log.warn(
      { storeTask: storeTaskId, kind, store, country, day, marker },
      'store task failed, no retry left today',
    );
    return 'gap';
  }
  await rescheduleStoreTask(services.systemDb, {
    storeTaskId,
    day,
    attempts: decision.attempts,
    retryAt: decision.at,
    marker,
  });
  return 'rescheduled';
}
