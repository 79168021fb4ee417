import type { Clock, Stores } from '../domain/ports.ts';
import { createAndroidStore } from './android/client.ts';
import type { StoreRequestEvent } from './ask.ts';
import type { EgressPool } from './egress/pool.ts';
import type { UnreadableSample } from './exchange.ts';
import { createIosStore } from './ios/client.ts';
import type { Pacer } from './pace.ts';
import { hostRoot } from './urls.ts';

export interface StoresOptions {
  /** STORE_BASE_URL: every host becomes `{baseUrl}/{host}`; null asks the stores themselves. */
  baseUrl: string | null;
  pacer: Pacer;
  egress: EgressPool;
  clock: Clock;
  /** For one request, from connecting to the last byte. */
  searchTimeoutMs?: number;
  onRequest?: (event: StoreRequestEvent) => void;
  /** Gets the first 64 KiB of a body no parser understood. */
  sampleSink?: (sample: UnreadableSample) => void;
}

const defaultTimeoutMs = 30_000;

/** Both stores over one pacer and one egress pool, which the caller keeps and closes. */
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
  return {
    ios: createIosStore({ ...shared, store: 'ios', consent: { given: false } }),
    android: createAndroidStore({ ...shared, store: 'android', consent: { given: false } }),
  };
}

export type { StoreRequestEvent } from './ask.ts';
export type { RequestKind, UnreadableSample } from './exchange.ts';
export { createEgressPool, type EgressPool } from './egress/pool.ts';
export { createPacer, type Grant, type Pacer, type RunningPacer } from './pace.ts';
