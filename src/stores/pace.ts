import { clearStrikes, getCoolingMs, insertPacing, takeGrants, updateAfterRefusal, type Queryable } from '../db/queries/pacing.ts';
import { systemClock } from '../lib/clock.ts';
import type { Clock, StoreName } from '../domain/ports.ts';
import { refused, unavailable } from './failures.ts';
import { createPaceClock } from './pace-clock.ts';
import { createRequestCounts, type CountedRequests } from './pace-counts.ts';
import { createPaceLine, type Lane } from './pace-line.ts';
import type { EgressPool } from './egress/pool.ts';

/** Permission to send one request, now, through one endpoint. */
export interface Grant {
  readonly store: StoreName;
  readonly endpoint: string;
  /** The instant it was given for, in microseconds of the database's clock. */
  readonly atUs: number;
  readonly strikes: number;
}

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

/** Half a percent slower than allowed: 0.3 s in a minute, of which a late sender may use `slackMs`. */
const margin = 1.005;
const maxSlackMs = 250;
const maxBlockMs = 20;
const maxWastedInRow = 20;
const maxRetryAfterMs = 3_600_000;
const minRetryAfterMs = 10_000;
const coolSeconds = { ios: [60, 300, 1800], android: [60, 300, 900] } as const;

export function createPacer(options: PacerOptions): RunningPacer {
  const onError = options.onError ?? (() => {});
  const closing = new AbortController();
  const counts = createRequestCounts({ db: options.db, clock: options.clock, onError });
  const lanes = { ios: startLane('ios', options, closing.signal), android: startLane('android', options, closing.signal) };
  const writes = new Set<Promise<void>>();
  const maxWaitMs = options.maxInteractiveWaitMs ?? 25_000;

  return {
    acquire: (store, { signal, lane }) =>
      lanes[store].acquire({ signal, lane, maxWaitMs: lane === 'interactive' ? maxWaitMs : null }),
    async refused(grant, { marker, retryAfterMs }) {
      const waitMs = retryAfterMs === null ? null : Math.min(maxRetryAfterMs, Math.max(minRetryAfterMs, retryAfterMs));
      const retryAfterSeconds = waitMs === null ? null : Math.ceil(waitMs / 1000);
      const { store, endpoint } = grant;
      lanes[store].cool(endpoint, waitMs ?? coolSeconds[store][0] * 1000);
      await updateAfterRefusal(options.db, { store, endpoint, marker, retryAfterSeconds, coolSeconds: coolSeconds[store] });
    },
    succeeded(grant) {
      if (grant.strikes === 0) return;
      const write = clearStrikes(options.db, grant.store, grant.endpoint, grant.atUs).catch(onError);
      writes.add(write);
      void write.finally(() => writes.delete(write));
    },
    counted: (store, kind, counted) => counts.add(store, kind, counted),
    async close() {
      closing.abort(new Error('the pacer is closing'));
      await Promise.all([lanes.ios.stopped(), lanes.android.stopped(), ...writes]);
      await counts.close();
    },
  };
}

/**
 * One store's queue. A process holds one reserved instant at a time (a few milliseconds of them at high speed)
 * and gives it to whoever is first when it comes, so interactive work never queues behind instants the run reserved.
 */
function startLane(store: StoreName, options: PacerOptions, closing: AbortSignal) {
  const line = createPaceLine<Grant>();
  const clock = createPaceClock();
  const coolUntilMs = new Map<string, number>();
  const baseIntervalUs = Math.ceil((60_000_000 / options.rpm[store]) * margin);
  let rows: Promise<void> | null = null;
  let pumping: Promise<void> | null = null;

  const prepare = () =>
    (rows ??= insertPacing(options.db, {
      store,
      endpoints: options.egress.endpoints.map((endpoint) => endpoint.name),
      baseIntervalUs,
    }).catch((error: unknown) => {
      rows = null;
      throw error;
    }));

  const take = async (count: number) => {
    const endpoints = options.egress.usable();
    const wish = { store, endpoints, baseIntervalUs, count };
    for (const skipLocked of endpoints.length > 1 ? [true, false] : [false]) {
      const sentMs = performance.now();
      const block = await takeGrants(options.db, { ...wish, skipLocked });
      if (block === null) continue;
      clock.observe(block.nowUs, sentMs, performance.now());
      return block;
    }
    const coolingMs = await getCoolingMs(options.db, store, endpoints);
    if (coolingMs > 0) throw refused(store, 'cooling', coolingMs);
    return null;
  };

  const isCooling = (endpoint: string) => (coolUntilMs.get(endpoint) ?? 0) > performance.now();

  /** True when the instant has come and may still be used. */
  const waitFor = async (grant: Grant, intervalMs: number) => {
    const early = intervalMs < 5 ? 1.5 : 0;
    let waitMs = clock.untilSafeMs(grant.atUs);
    const mayHaveCooled = waitMs > 1000;
    // Another process may be refused while this one waits; one look just before sending spares the address a request.
    if (mayHaveCooled) {
      await systemClock.sleep(waitMs - 100, closing);
      if ((await getCoolingMs(options.db, store, [grant.endpoint])) > 0) return false;
    }
    while ((waitMs = clock.untilSafeMs(grant.atUs)) > early) await systemClock.sleep(Math.ceil(waitMs), closing);
    return !isCooling(grant.endpoint) && clock.latenessMs(grant.atUs) <= slackMs(intervalMs);
  };

  const serveBlock = async (): Promise<boolean> => {
    const perBlock = Math.max(1, Math.floor((maxBlockMs * 1000) / baseIntervalUs));
    const count = Math.min(perBlock, line.length);
    const block = await take(count);
    if (block === null) return false;
    const { endpoint, strikes, intervalUs } = block;
    let served = false;
    for (let index = 0; index < count && line.length > 0; index++) {
      const grant = { store, endpoint, strikes, atUs: block.firstAtUs + index * intervalUs };
      if (await waitFor(grant, intervalUs / 1000)) served = line.serve(grant) || served;
    }
    return served;
  };

  const pump = async () => {
    try {
      await prepare();
      let wasted = 0;
      while (line.length > 0) {
        closing.throwIfAborted();
        wasted = (await serveBlock()) ? 0 : wasted + 1;
        if (wasted > maxWastedInRow) throw unavailable(store, 'late');
      }
    } catch (error) {
      line.rejectAll(error);
    } finally {
      pumping = null;
    }
  };

  return {
    async acquire(wish: { signal: AbortSignal; lane: Lane; maxWaitMs: number | null }): Promise<Grant> {
      closing.throwIfAborted();
      const grant = line.join({ ...wish, tooLong: () => unavailable(store, 'busy') });
      pumping ??= pump();
      return grant;
    },
    cool(endpoint: string, forMs: number) {
      coolUntilMs.set(endpoint, performance.now() + forMs);
    },
    async stopped() {
      await pumping;
    },
  };
}

/** How late a sender may wake and still send. Below 20 ms between grants only the minute counts, not the spacing. */
function slackMs(intervalMs: number): number {
  return intervalMs < 20 ? maxSlackMs : Math.max(100, Math.min(maxSlackMs, intervalMs / 2));
}
