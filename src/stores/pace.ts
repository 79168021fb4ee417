import { clearStrikes, updateAfterRefusal, type Queryable } from '../db/queries/pacing.ts';
import type { Clock, StoreName } from '../domain/ports.ts';
import type { EgressPool } from './egress/pool.ts';
import { createRequestCounts, type CountedRequests } from './pace-counts.ts';
import type { Lane } from './pace-line.ts';
import { createStorePace, type Grant } from './pace-store.ts';

export type { Grant } from './pace-store.ts';

export interface Pacer {
  /**
   * Waits for the next free instant. Throws StoreError `refused`/`cooling` at once while every endpoint cools,
   * `unavailable`/`busy` when interactive work waited too long, and the signal's reason when it is aborted.
   */
  acquire(store: StoreName, options: { signal: AbortSignal; lane: Lane }): Promise<Grant>;
  refused(grant: Grant, refusal: { marker: string; retryAfterMs: number | null }): Promise<void>;
  succeeded(grant: Grant): void;
  counted(store: StoreName, kind: string, counted: CountedRequests): void;
}

export interface RunningPacer extends Pacer {
  /** Rejects who still waits, writes the counters. */
  close(): Promise<void>;
}

export interface PacerOptions {
  db: Queryable;
  egress: EgressPool;
  /** For the day a request is counted on. Waiting and grants go by real time and the database's clock. */
  clock: Clock;
  /** Requests in any 60 s through one endpoint, at most. */
  rpm: Record<StoreName, number>;
  maxInteractiveWaitMs?: number;
  onError?: (error: unknown) => void;
}

const defaultInteractiveWaitMs = 25_000;
const maxRetryAfterMs = 3_600_000;
const minRetryAfterMs = 10_000;
const coolSeconds = { ios: [60, 300, 1800], android: [60, 300, 900] } as const;

/** Paces every process by the same rows of PostgreSQL: one for each store and endpoint. */
export function createPacer(options: PacerOptions): RunningPacer {
  const {
    db,
    egress,
    clock,
    onError = () => {},
    maxInteractiveWaitMs = defaultInteractiveWaitMs,
  } = options;
  const closing = new AbortController();
  const counts = createRequestCounts({ db, clock, onError });
  const start = (store: StoreName) =>
    createStorePace({ store, db, egress, rpm: options.rpm[store], closing: closing.signal });
  const paces = { ios: start('ios'), android: start('android') };
  const writes = new Set<Promise<void>>();

  return {
    acquire(store, { signal, lane }) {
      return paces[store].acquire({
        signal,
        lane,
        maxWaitMs: lane === 'interactive' ? maxInteractiveWaitMs : null,
      });
    },
    async refused({ store, endpoint }, { marker, retryAfterMs }) {
      const waitMs =
        retryAfterMs === null
          ? null
          : Math.min(maxRetryAfterMs, Math.max(minRetryAfterMs, retryAfterMs));
      const retryAfterSeconds = waitMs === null ? null : Math.ceil(waitMs / 1000);
      paces[store].cool(endpoint, waitMs ?? coolSeconds[store][0] * 1000);
      await updateAfterRefusal(db, {
        store,
        endpoint,
        marker,
        retryAfterSeconds,
        coolSeconds: coolSeconds[store],
      });
    },
    succeeded({ store, endpoint, atUs, strikes }) {
      if (strikes === 0) return;
      const write = clearStrikes(db, store, endpoint, atUs).catch(onError);
      writes.add(write);
      void write.finally(() => writes.delete(write));
    },
    counted(store, kind, counted) {
      counts.add(store, kind, counted);
    },
    async close() {
      closing.abort(new Error('the pacer is closing'));
      await Promise.all([paces.ios.stopped(), paces.android.stopped(), ...writes]);
      await counts.close();
    },
  };
}
