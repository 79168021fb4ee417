import { StoreError, type StoreName } from '#domain/base/ports.ts';

/** A search without one result that could be ranked. */
export const noPositions = (store: StoreName): StoreError =>
  new StoreError({
    store,
    failure: 'unreadable',
    marker: 'no-positions',
    message: 'the response ended before its first result',
  });

/**
 * While the store's probe fails, the store may be withholding results. The market is tried again
 * soon unless a delay is given.
 */
export const unconfirmed = (store: StoreName, retryAfterMs: number | null = null): StoreError =>
  new StoreError({
    store,
    failure: 'refused',
    marker: 'probe',
    message: 'the store is degraded; not found needs confirmation',
    retryAfterMs,
  });
