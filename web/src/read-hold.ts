import { ApiError } from '../../src/client/http.ts';

/** What a longer wait is for may end sooner, as with a larger plan: it is asked about once a minute. */
const longestHoldMs = 60_000;

interface Hold {
  refusal: ApiError;
  /** Until when nothing is asked, and until when the API said to wait. */
  endsMs: number;
  opensMs: number;
}

let hold: Hold | null = null;

/** Reads once more only when the API's wait is over: until then they are refused here, whatever page or timer asks. */
export async function holdReads<Answer>(
  operation: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
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
    keepRefusal(error);
    throw error;
  }
}

function keepRefusal(error: unknown): void {
  if (!(error instanceof ApiError) || error.envelope.rateLimit?.rateClass !== 'read') return;
  const waitMs = (error.envelope.retryAfterSeconds ?? 1) * 1_000;
  const nowMs = Date.now();
  hold = {
    refusal: error,
    endsMs: nowMs + Math.min(waitMs, longestHoldMs),
    opensMs: nowMs + waitMs,
  };
}
