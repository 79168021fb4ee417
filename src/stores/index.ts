import type { Clock, Store, Stores } from '#domain/base/ports.ts';
import { createAndroidStore } from './android/client.ts';
import type { EgressPool } from './egress/pool.ts';
import type { UnreadableSample } from './exchange.ts';
import { createIosStore } from './ios/client.ts';
import type { Pacer } from './pace.ts';
import { mapStores, type StoreName } from './profiles.ts';
import type { StoreRequestContext, StoreRequestEvent } from './request-with-retry.ts';
import { hostRoot, type HostRoot } from './urls.ts';

export type CreateStore = (context: StoreRequestContext & { root: HostRoot }) => Store;

/** The client of each store. A listed store without a client does not compile. */
const clients: Record<StoreName, CreateStore> = {
  ios: createIosStore,
  android: createAndroidStore,
};

export interface StoresOptions {
  /**
   * STORE_BASE_URL: every host becomes `{baseUrl}/{host}`; null sends requests to the stores
   * themselves.
   */
  baseUrl: string | null;
  pacer: Pacer;
  egress: EgressPool;
  clock: Clock;
  /** The time limit of one request, from connecting to the last byte. */
  searchTimeoutMs?: number;
  onRequest?: (event: StoreRequestEvent) => void;
  /** Receives the first 64 KiB of a body that no parser understood. */
  sampleSink?: (sample: UnreadableSample) => void;
}

const defaultTimeoutMs = 30_000;

/**
 * Creates the clients of all stores on one pacer and one egress pool, which the caller owns and
 * closes.
 */
export function createStores(options: StoresOptions): Stores {
  const shared = {
    pacer: options.pacer,
    egress: options.egress,
    clock: options.clock,
    timeoutMs: options.searchTimeoutMs ?? defaultTimeoutMs,
    onRequest: options.onRequest ?? (() => {}),
    sampleSink: options.sampleSink ?? (() => {}),
    root: hostRoot(options.baseUrl),
  };
  return mapStores(({ id }) => clients[id]({ ...shared, store: id, consent: { given: false } }));
}

export { createImageSource } from './images.ts';
export type { StoreRequestEvent } from './request-with-retry.ts';
export type { UnreadableSample } from './exchange.ts';
export { createHealthWriter } from './egress/health-writer.ts';
export { createEgressPool, type EgressPool } from './egress/pool.ts';
export { createSearchDelay } from './search-delay.ts';
export { createPacer, type Grant, type Pacer, type RunningPacer } from './pace.ts';
