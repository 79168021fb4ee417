import { describeError, isApiError } from '../describe-error.ts';

const attemptsMax = 10;
const longestWaitSeconds = 120;

/**
 * Sends a part of a file. Waits when the requests of a minute are used up: a large file has more
 * parts than that.
 */
export async function sendPart(send: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await send();
      return;
    } catch (error) {
      const waitSeconds = describeError(error).retryAfterSeconds ?? 1;
      // A longer wait is that of a day's limit.
      const isWorthwhile = attempt < attemptsMax && waitSeconds <= longestWaitSeconds;
      if (!isWorthwhile || !isApiError(error, 'rate_limited')) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitSeconds * 1_000));
    }
  }
}
