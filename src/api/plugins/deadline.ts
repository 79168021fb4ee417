import { AppError } from '../../domain/errors.ts';

/** An answer in time or `unavailable`: a database that neither answers nor breaks must not hold a caller. */
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
