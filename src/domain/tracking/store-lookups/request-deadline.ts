import type { Ctx } from '#domain/base/context.ts';
import { StoreError, type StoreName, type StoreRequestOptions } from '#domain/base/ports.ts';

/**
 * The time limit for several requests in sequence, so that earlier results need not wait for a
 * store that hangs.
 */
const defaultDeadlineMs = 45_000;

export interface RequestDeadline {
  /** Aborted with the caller's signal, or at the deadline. */
  signal: AbortSignal;
  /**
   * A failure of the store, including a missed deadline. Rethrows other errors, which are the
   * caller's reason when the caller disconnected.
   */
  toStoreError(error: unknown): StoreError;
}

export function createRequestDeadline(
  store: StoreName,
  signal: AbortSignal,
  deadlineMs = defaultDeadlineMs,
): RequestDeadline {
  const isUp = AbortSignal.timeout(deadlineMs);
  return {
    signal: AbortSignal.any([signal, isUp]),
    toStoreError(error) {
      if (error instanceof StoreError) return error;
      signal.throwIfAborted();
      if (!isUp.aborted) throw error;
      return new StoreError({
        store,
        failure: 'unavailable',
        marker: 'deadline',
        message: `${store} did not respond in time`,
        cause: error,
      });
    },
  };
}

/**
 * Requests for an interactive caller within the default deadline. Throws StoreError, and the
 * caller's reason when the caller disconnected.
 */
export async function requestWithDeadline<Response>(
  { workspaceId }: Pick<Ctx, 'workspaceId'>,
  store: StoreName,
  signal: AbortSignal,
  ask: (options: StoreRequestOptions) => Promise<Response>,
): Promise<Response> {
  const deadline = createRequestDeadline(store, signal);
  try {
    return await ask({ signal: deadline.signal, lane: 'interactive', workspaceId });
  } catch (error) {
    throw deadline.toStoreError(error);
  }
}

/**
 * A failure in the form in which it is returned with partial results; null when a retry would not
 * help.
 */
export function describeFailure({ failure, retryAfterSeconds }: StoreError): {
  reason: StoreError['failure'];
  retryAfterSeconds: number | null;
} {
  const isFinal = failure === 'not_offered' || failure === 'bad_request';
  return { reason: failure, retryAfterSeconds: isFinal ? null : retryAfterSeconds };
}
