import { StoreError, type StoreName, type StoreRequestOptions } from '../ports.ts';

/** How long several questions in a row may take together; what has been found by then should not wait for a store that hangs. */
const usualPatienceMs = 45_000;

export interface Patience {
  /** Ends with the caller's, or when time is up. */
  signal: AbortSignal;
  /** A failure of the store, time that was up among them. Throws anything else, and the caller's reason when the caller has left. */
  judge(error: unknown): StoreError;
}

export function patienceWith(
  store: StoreName,
  signal: AbortSignal,
  patienceMs = usualPatienceMs,
): Patience {
  const isUp = AbortSignal.timeout(patienceMs);
  return {
    signal: AbortSignal.any([signal, isUp]),
    judge(error) {
      signal.throwIfAborted();
      if (error instanceof StoreError) return error;
      if (!isUp.aborted) throw error;
      return new StoreError({
        store,
        failure: 'unavailable',
        marker: 'patience',
        message: `${store} gave no answer in time`,
        cause: error,
      });
    },
  };
}

/** Asks for somebody who waits, no longer than usual. Throws StoreError, and the caller's reason when the caller has left. */
export async function askPatiently<Answer>(
  store: StoreName,
  signal: AbortSignal,
  ask: (options: StoreRequestOptions) => Promise<Answer>,
): Promise<Answer> {
  const patience = patienceWith(store, signal);
  try {
    return await ask({ signal: patience.signal, lane: 'interactive' });
  } catch (error) {
    throw patience.judge(error);
  }
}

/** A failure as it is told beside what there is: null where another try would not help. */
export function tellFailure({ failure, retryAfterSeconds }: StoreError): {
  reason: StoreError['failure'];
  retryAfterSeconds: number | null;
} {
  const isFinal = failure === 'not_offered' || failure === 'bad_request';
  return { reason: failure, retryAfterSeconds: isFinal ? null : retryAfterSeconds };
}
