import type { Operation } from '#contract/operation.ts';
import { AppError } from '#domain/base/errors.ts';
import { onResponseClosed } from '#lib/on-response-closed.ts';
import { LimitExceededError, type FairLimit } from '#lib/fair-limit.ts';
import type { RouteRequest } from '../route.ts';

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

/**
 * Runs `work` in a slot of a workspace. The slot is released once the work has ended and the client
 * has its response or has left. After a deadline it is the work that ends last.
 */
export async function inSlot<T>(
  limit: FairLimit,
  workspaceId: number,
  { signal, raw }: Pick<RouteRequest<Operation>, 'signal' | 'raw'>,
  work: () => Promise<T>,
): Promise<T> {
  const release = await acquireSlot(limit, workspaceId, signal);
  try {
    return await work();
  } finally {
    onResponseClosed(raw.reply.raw, release);
  }
}
