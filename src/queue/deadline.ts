import { QueueUnavailableError } from './errors.ts';

/** A request of the API must never wait longer for the queue store. */
const producerTimeoutMs = 2_500;

/** Waits for `work`. Throws QueueUnavailableError at the deadline; the work itself may go on. */
export async function withinDeadline<T>(
  work: Promise<T>,
  timeoutMs = producerTimeoutMs,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new QueueUnavailableError(`no response within ${timeoutMs} ms`)),
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
