import { ApiError } from '#client/http.ts';

/** A longer wait may end early, for example with a larger plan, so it is checked once a minute. */
const maxPauseMs = 60_000;

interface Hold {
  refusal: ApiError;
  /** Until when requests are paused, and the end of the wait given by the API. */
  endsMs: number;
  opensMs: number;
}

let hold: Hold | null = null;

/**
 * Pauses reads until the wait given by the API ends; until then, they fail here whatever page or
 * timer starts them.
 */
export async function pauseRateLimitedReads<Response>(
  operation: string,
  ask: () => Promise<Response>,
): Promise<Response> {
  if (!operation.startsWith('GET ')) return ask();
  const nowMs = Date.now();
  if (hold !== null && hold.endsMs > nowMs) {
    throw new ApiError({
      ...hold.refusal.envelope,
      retryAfterSeconds: Math.max(1, Math.ceil((hold.opensMs - nowMs) / 1_000)),
    });
  }
  try {
    return await ask();
  } catch (error) {
    storeRateLimit(error);
    throw error;
  }
}

function storeRateLimit(error: unknown): void {
  if (!(error instanceof ApiError) || error.envelope.rateLimit?.rateClass !== 'read') return;
  const waitMs = (error.envelope.retryAfterSeconds ?? 1) * 1_000;
  const nowMs = Date.now();
  hold = {
    refusal: error,
    endsMs: nowMs + Math.min(waitMs, maxPauseMs),
    opensMs: nowMs + waitMs,
  };
}
