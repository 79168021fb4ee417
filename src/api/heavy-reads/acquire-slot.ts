import { AppError } from '#domain/base/errors.ts';
import { LimitExceededError, type FairLimit } from '#lib/fair-limit.ts';

/**
 * Waits for a slot of a workspace and returns the function that releases it. Throws `unavailable`
 * when too many requests of the workspace wait already.
 */
export async function acquireSlot(
  limit: FairLimit,
  workspaceId: number,
  signal: AbortSignal,
): Promise<() => void> {
  try {
    return await limit.acquire(workspaceId, signal);
  } catch (error) {
    if (!(error instanceof LimitExceededError)) throw error;
    throw new AppError('unavailable', undefined, { retryAfterSeconds: 5 });
  }
}
