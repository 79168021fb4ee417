/** A run exceeded its time limit. */
export class TimeoutError extends Error {
  constructor(timeoutMs: number) {
    super(`timeout: not finished within ${timeoutMs} ms`);
    this.name = 'TimeoutError';
  }
}

export interface TimeLimit {
  timeoutMs: number;
  /** The caller's own signal, passed on to the run. */
  signal?: AbortSignal;
  /** The error that ends an overdue run; a TimeoutError unless given. */
  timeoutError?: () => Error;
  /** How long an aborted run may take to clean up before it is abandoned. */
  graceMs?: number;
}

const defaultGraceMs = 5_000;

/**
 * Runs `work` under a time limit: at the limit its signal is aborted with the timeout error. A run
 * that handles the abort ends with its own outcome; one that ignores its signal is abandoned after
 * the grace period and the timeout error is thrown. Rethrows the errors of `work`.
 */
export async function withTimeLimit<T>(
  limit: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { timeoutMs, signal, graceMs = defaultGraceMs } = limit;
  const controller = new AbortController();
  const abandoned = Promise.withResolvers<never>();
  let graceTimer: NodeJS.Timeout | undefined;
  const timer = setTimeout(() => {
    const error = limit.timeoutError?.() ?? new TimeoutError(timeoutMs);
    controller.abort(error);
    graceTimer = setTimeout(() => abandoned.reject(error), graceMs);
  }, timeoutMs);
  const stop = () => controller.abort(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work(controller.signal), abandoned.promise]);
  } finally {
    clearTimeout(timer);
    clearTimeout(graceTimer);
    signal?.removeEventListener('abort', stop);
  }
}
