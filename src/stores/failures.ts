import { StoreError, type Cost, type StoreFailure, type StoreName } from '../domain/ports.ts';

/** An answer came and is not what the parser knows. `marker` names the first thing that did not fit. */
export function unreadable(store: StoreName, marker: string, detail: string): StoreError {
  return new StoreError({
    store,
    failure: 'unreadable',
    marker,
    message: `${store} answer not understood: ${detail}`,
  });
}

export function refused(
  store: StoreName,
  marker: string,
  retryAfterMs: number | null = null,
): StoreError {
  return new StoreError({
    store,
    failure: 'refused',
    marker,
    message: `${store} refused: ${marker}`,
    retryAfterMs,
  });
}

export function unavailable(store: StoreName, marker: string, cause?: unknown): StoreError {
  return new StoreError({
    store,
    failure: 'unavailable',
    marker,
    message: `${store} unavailable: ${marker}`,
    cause,
  });
}

export function badRequest(store: StoreName, marker: string, detail: string): StoreError {
  return new StoreError({
    store,
    failure: 'bad_request',
    marker,
    message: `${store} question was wrong: ${detail}`,
  });
}

export function notOffered(store: StoreName, marker: string, detail: string): StoreError {
  return new StoreError({
    store,
    failure: 'not_offered',
    marker,
    message: `${store} does not offer this: ${detail}`,
  });
}

/** The same error carrying what the whole verb had cost when it failed. */
export function withCost(error: StoreError, cost: Cost): StoreError {
  const { store, message, marker, retryAfterMs, cause } = error;
  const failure: StoreFailure = error.failure;
  return new StoreError({
    store,
    failure,
    marker,
    message,
    retryAfterMs,
    cause,
    cost: { ...cost },
  });
}
