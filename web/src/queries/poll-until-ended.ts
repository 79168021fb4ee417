import { ApiError } from '#client/http.ts';
import { describeError } from '../describe-error.ts';

const pollIntervalMs = 1_500;
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A limit or a network error while polling says nothing about the work itself. */
const isTransient = (error: unknown) =>
  !(error instanceof ApiError) || error.status === 429 || error.status >= 500;

/**
 * Reads background work until `findEnd` returns its end. Resolves with null if it is still running
 * after `longestMs`, or once nobody waits for it. Throws errors of the API that polling again would
 * not change.
 */
export async function pollUntilEnded<Work, End>(
  read: () => Promise<Work>,
  findEnd: (work: Work) => End | null,
  longestMs: number,
  isOver = () => false,
): Promise<End | null> {
  const endsMs = Date.now() + longestMs;
  while (Date.now() < endsMs && !isOver()) {
    let waitMs = pollIntervalMs;
    let work: Work | undefined;
    try {
      work = await read();
    } catch (error) {
      if (!isTransient(error)) throw error;
      waitMs = Math.max(pollIntervalMs, (describeError(error).retryAfterSeconds ?? 0) * 1_000);
    }
    const end = work === undefined ? null : findEnd(work);
    if (end !== null) return end;
    await wait(Math.min(waitMs, Math.max(0, endsMs - Date.now())));
  }
  return null;
}
