import { StoreError, type StoreName } from '#domain/base/ports.ts';

/** A response that no parser understands. `marker` names the first mismatch. */
export function unreadable(store: StoreName, marker: string, detail: string): StoreError {
  return new StoreError({
    store,
    failure: 'unreadable',
    marker,
    message: `${store} response not understood: ${detail}`,
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
    message: `${store} request was wrong: ${detail}`,
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
