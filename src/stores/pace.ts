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
  acquire(
    store: StoreName,
    options: {
      signal: AbortSignal;
      lane: Lane;
      workspaceId?: number | undefined;
      host?: string | undefined;
    },
  ): Promise<Grant>;
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
  /** The same for hosts with a pace of their own; the profile's by default. */
  hostRpm?: Readonly<Record<string, number>>;
  maxInteractiveWaitMs?: number;
  onError?: (error: unknown) => void;
  /** The database's clock was set back by so many seconds; the pace goes on from there. */
  onSetBack?: (seconds: number) => void;
}

const defaultInteractiveWaitMs = 25_000;
const maxRetryAfterMs = 3_600_000;
const minRetryAfterMs = 10_000;

/** The pause that the store states, or that such a refusal is known to last; else null. */
function knownPauseMs(
  store: StoreName,
  { marker, retryAfterMs }: { marker: string; retryAfterMs: number | null },
): number | null {
  if (retryAfterMs !== null)
    return Math.min(maxRetryAfterMs, Math.max(minRetryAfterMs, retryAfterMs));
  const { cooldownSeconds, lastingRefusals } = profileOf(store).pace;
  return lastingRefusals?.includes(marker) ? cooldownSeconds[2] * 1000 : null;
}

/**
 * All processes share one pace through rows of PostgreSQL: one for each store, host with a pace of
 * its own, and endpoint.
 */
export function createPacer(options: PacerOptions): RunningPacer {
  const {
    db,
    egress,
    clock,
    onError = () => {},
    onSetBack = () => {},
    maxInteractiveWaitMs = defaultInteractiveWaitMs,
  } = options;
  const closing = new AbortController();
  const counts = createRequestCounts({ db, clock, onError });
  const shared = { db, egress, closing: closing.signal, onSetBack };
  const paces = mapStores(({ id: store, pace }) => {
    const own = createStorePace({ ...shared, store, host: '', rpm: options.rpm[store] });
    const hosts = (pace.hosts ?? []).map(({ host, requestsPerMinute }) => {
      const rpm = options.hostRpm?.[host] ?? requestsPerMinute;
      return [host, createStorePace({ ...shared, store, host, rpm })] as const;
    });
    return new Map([['', own] as const, ...hosts]);
  });
  /** Hosts without a pace of their own share the store's. */
  const paceOf = (store: StoreName, host = '') => paces[store].get(host) ?? paces[store].get('')!;
  const writes = new Set<Promise<void>>();

  return {
    acquire(store, { signal, lane, workspaceId, host }) {
      return paceOf(store, host).acquire({
        signal,
        lane,
        workspaceId,
        maxWaitMs: lane === 'interactive' ? maxInteractiveWaitMs : null,
      });
    },
    async refused({ store, host, endpoint }, refusal) {
      const { cooldownSeconds } = profileOf(store).pace;
      const pauseMs = knownPauseMs(store, refusal);
      paceOf(store, host).cool(endpoint, pauseMs ?? cooldownSeconds[0] * 1000);
      await updateAfterRefusal(db, {
        store,
        host,
        endpoint,
        marker: refusal.marker,
        pauseSeconds: pauseMs === null ? null : Math.ceil(pauseMs / 1000),
        cooldownSeconds,
      });
    },
    succeeded({ store, host, endpoint, atUs, strikes }) {
      if (strikes === 0) return;
      const write = clearStrikes(db, { store, host }, endpoint, atUs).catch(onError);
      writes.add(write);
      void write.finally(() => writes.delete(write));
    },
    counted(store, kind, counted) {
      counts.add(store, kind, counted);
    },
    async close() {
      closing.abort(new Error('the pacer is closing'));
      const running = Object.values(paces).flatMap((ofStore) => [...ofStore.values()]);
      await Promise.all([...running.map((pace) => pace.stopped()), ...writes]);
      await counts.close();
    },
  };
}
