import {
  getCooldownMs,
  insertPacing,
  takeGrants,
  type GrantBlock,
  type Queryable,
} from '#db/queries/pacing/pacing.ts';
import { systemClock } from '#lib/clock.ts';
import { runFor } from '#lib/tracing.ts';
import type { StoreName } from '#domain/base/ports.ts';
import type { EgressPool } from './egress/pool.ts';
import { refused, unavailable } from './store-errors.ts';
import { createPaceClock } from './pace-clock.ts';
import { createPaceQueue, type Lane } from './pace-queue.ts';

/** Permission to send one request, now, through one endpoint. */
export interface Grant {
  readonly store: StoreName;
  /** A host with a pace of its own, or '' for the store's pace. */
  readonly host: string;
  readonly endpoint: string;
  /** The granted instant, in microseconds of the database's clock. */
  readonly atUs: number;
  readonly strikes: number;
}

/**
 * Half a percent slower than allowed: 0.3 s in a minute, of which a late sender may use
 * `maxSlackMs`.
 */
const margin = 1.005;
const maxSlackMs = 250;
const maxBlockMs = 20;
const maxWastedInRow = 20;
/** Grants that are not used after the database failed, so that late requests exceed no minute. */
const skippedAfterFailure = 3;

/**
 * The maximum lateness with which a request may still be sent. Below 20 ms between grants only the
 * minute counts, not the spacing.
 */
function slackMs(intervalMs: number): number {
  return intervalMs < 20 ? maxSlackMs : Math.max(100, Math.min(maxSlackMs, intervalMs / 2));
}

interface StorePaceOptions {
  store: StoreName;
  host: string;
  db: Queryable;
  egress: EgressPool;
  rpm: number;
  closing: AbortSignal;
  /** The database's clock was set back by so many seconds. */
  onSetBack: (seconds: number) => void;
}

/**
 * The pace of one store, or of one of its hosts, in this process. It reserves one instant at a time
 * (a few milliseconds of them at high speed) and gives it to the first waiter when it comes, so
 * interactive work never waits behind instants that the run reserved.
 */
export function createStorePace(options: StorePaceOptions) {
  const { store, host, closing } = options;
  const line = createPaceQueue<Grant>();
  const instants = createInstants(options);
  let pumping: Promise<void> | null = null;

  const serveBlock = async (): Promise<boolean> => {
    const count = Math.min(instants.perBlock, line.length);
    const block = await instants.take(count);
    if (block === null) return false;
    const { endpoint, strikes, intervalUs } = block;
    let served = false;
    for (let index = 0; index < count && line.length > 0; index++) {
      const grant = { store, host, endpoint, strikes, atUs: block.firstAtUs + index * intervalUs };
      if (await instants.waitFor(grant, intervalUs / 1000)) served = line.serve(grant) || served;
    }
    return served;
  };

  const pump = async () => {
    try {
      await instants.prepare();
      for (let wasted = 0; line.length > 0;) {
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
    cool: (endpoint: string, forMs: number) => instants.cool(endpoint, forMs),
    async acquire(request: {
      signal: AbortSignal;
      lane: Lane;
      workspaceId?: number | undefined;
      maxWaitMs: number | null;
    }): Promise<Grant> {
      closing.throwIfAborted();
      const grant = line.join({ ...request, tooLong: () => unavailable(store, 'busy') });
      // It serves all that wait, and belongs to the trace of none.
      pumping ??= runFor([], pump);
      return grant;
    },
    async stopped(): Promise<void> {
      await pumping;
    },
  };
}

/** Takes instants from the database and waits for them. */
function createInstants({ store, host, db, egress, rpm, closing, onSetBack }: StorePaceOptions) {
  const key = { store, host };
  const baseIntervalUs = Math.ceil((60_000_000 / rpm) * margin);
  const clock = createPaceClock();
  const cooldownUntilMs = new Map<string, number>();
  let rows: Promise<void> | null = null;
  // After a failure nobody knows what was granted, and when it was sent.
  let skipped = 0;

  return {
    perBlock: Math.max(1, Math.floor((maxBlockMs * 1000) / baseIntervalUs)),

    prepare(): Promise<void> {
      const endpoints = egress.endpoints.map((endpoint) => endpoint.name);
      rows ??= insertPacing(db, { ...key, endpoints, baseIntervalUs }).catch((error: unknown) => {
        rows = null;
        throw error;
      });
      return rows;
    },

    /** Null means: try again. Throws `cooling` while every endpoint cools down. */
    async take(count: number): Promise<GrantBlock | null> {
      const endpoints = egress.usable();
      for (const skipLocked of endpoints.length > 1 ? [true, false] : [false]) {
        const sentMs = performance.now();
        const request = { ...key, endpoints, baseIntervalUs, count: count + skipped, skipLocked };
        const block = await takeGrants(db, request).catch((error: unknown) => {
          skipped = skippedAfterFailure;
          throw error;
        });
        if (block === null) continue;
        clock.observe(block.nowUs, sentMs, performance.now());
        if (block.setBackSeconds > 0) onSetBack(block.setBackSeconds);
        const firstAtUs = block.firstAtUs + skipped * block.intervalUs;
        skipped = 0;
        return { ...block, firstAtUs };
      }
      // Those that rest after failed connections may be back before a cooldown ends.
      const restsMs = egress
        .health()
        .map(
          ({ name, unavailableForMs: ms }) => [name, endpoints.includes(name) ? 0 : ms] as const,
        );
      const coolingMs = await getCooldownMs(db, key, new Map(restsMs));
      if (coolingMs > 0) throw refused(store, 'cooling', coolingMs);
      return null;
    },

    /** True when the instant has come and may still be used. */
    async waitFor(grant: Grant, intervalMs: number): Promise<boolean> {
      const earlyMs = intervalMs < 5 ? 1.5 : 0;
      let waitMs = clock.untilSafeMs(grant.atUs);
      // Another process may be refused in the meantime. A check just before sending spares the
      // address a request.
      if (waitMs > 1000) {
        await systemClock.sleep(waitMs - 100, closing);
        if ((await getCooldownMs(db, key, new Map([[grant.endpoint, 0]]))) > 0) return false;
      }
      while ((waitMs = clock.untilSafeMs(grant.atUs)) > earlyMs)
        await systemClock.sleep(Math.ceil(waitMs), closing);
      const isCooling = (cooldownUntilMs.get(grant.endpoint) ?? 0) > performance.now();
      return !isCooling && clock.latenessMs(grant.atUs) <= slackMs(intervalMs);
    },

    /** A refusal of this process counts at once, before the database has it. */
    cool(endpoint: string, forMs: number): void {
      cooldownUntilMs.set(endpoint, performance.now() + forMs);
    },
  };
}
