import { QueueUnavailableError } from './errors.ts';

/** A producer's patience: a request of the API must never hang on the queue store. */
export const producerTimeoutMs = 2_500;

/** The promise's answer, or QueueUnavailableError when it takes too long. The work itself may go on. */
export async function withinDeadline<T>(
  work: Promise<T>,
  timeoutMs = producerTimeoutMs,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new QueueUnavailableError(`no answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
