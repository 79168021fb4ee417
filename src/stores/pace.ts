import { clearStrikes, updateAfterRefusal, type Queryable } from '#db/queries/pacing/pacing.ts';
import type { Clock } from '#domain/base/ports.ts';
import type { EgressPool } from './egress/pool.ts';
import { createRequestCounts, type CountedRequests } from './pace-counts.ts';
import type { Lane } from './pace-queue.ts';
import { mapStores, profileOf, type StoreName } from './profiles.ts';
import { createStorePace, type Grant } from './store-pace.ts';

export type { Grant } from './store-pace.ts';

export interface Pacer {
  /**
   * Waits for the next free instant. Throws StoreError `refused`/`cooling` at once while every
   * endpoint cools, `unavailable`/`busy` when interactive work waited too long, and the signal's
   * reason when it is aborted.
   */
  acquire(store: StoreName, options: { signal: AbortSignal; lane: Lane }): Promise<Grant>;
  refused(grant: Grant, refusal: { marker: string; retryAfterMs: number | null }): Promise<void>;
  succeeded(grant: Grant): void;
  counted(store: StoreName, kind: string, counted: CountedRequests): void;
}

export interface RunningPacer extends Pacer {
  /** Rejects all waiters and writes the counts. */
  close(): Promise<void>;
}

export interface PacerOptions {
  db: Queryable;
  egress: EgressPool;
  /** Dates the counts of requests. Waiting and grants follow real time and the database's clock. */
  clock: Clock;
  /** The maximum number of requests in any 60 s through one endpoint. */
  rpm: Record<StoreName, number>;
  maxInteractiveWaitMs?: number;
  onError?: (error: unknown) => void;
}

const defaultInteractiveWaitMs = 25_000;
const maxRetryAfterMs = 3_600_000;
const minRetryAfterMs = 10_000;

/** All processes share one pace through rows of PostgreSQL: one for each store and endpoint. */
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
  const paces = mapStores(({ id: store }) =>
    createStorePace({ store, db, egress, rpm: options.rpm[store], closing: closing.signal }),
  );
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
      const { cooldownSeconds } = profileOf(store).pace;
      const retryAfterSeconds = waitMs === null ? null : Math.ceil(waitMs / 1000);
      paces[store].cool(endpoint, waitMs ?? cooldownSeconds[0] * 1000);
      await updateAfterRefusal(db, {
        store,
        endpoint,
        marker,
        retryAfterSeconds,
        cooldownSeconds,
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
      await Promise.all([...Object.values(paces).map((pace) => pace.stopped()), ...writes]);
      await counts.close();
    },
  };
}
