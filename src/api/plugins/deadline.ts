import { AppError } from '#domain/base/errors.ts';

/**
 * Responds with `unavailable` after a time limit, so that a database that hangs does not hold the
 * caller.
 */
export async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new AppError('unavailable', undefined, { retryAfterSeconds: 2 })),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
