import { randomUUID } from 'node:crypto';
import {
  releaseRequests,
  renewLeases,
  admitRequests,
  type Queryable,
  type RateLimitRow,
  type RateLimitInput,
  type RequestEnd,
} from '#db/queries/limits/rate-limits.ts';
import type {
  RequestCounters,
  RequestLease,
  RateLimitDecision,
  RateLimitRequest,
  RequestWindow,
  WindowUsage,
} from '#domain/base/ports/request-counters.ts';
import { Batch } from '#lib/batch.ts';
import { indexAt, leaseSeconds, toWindowUse } from './windows.ts';

/** For any number of API processes on one database, without Redis. Uses the server's clock. */
export class PostgresCounters implements RequestCounters {
  private readonly takes: Batch<RateLimitInput, RateLimitRow>;
  private readonly ends: Batch<RequestEnd, undefined>;
  private readonly db: Queryable;
  private readonly now: (() => Date) | null;

  /** `now` is for tests. */
  constructor(db: Queryable, now: (() => Date) | null = null) {
    this.db = db;
    this.now = now;
    const at = () => now?.() ?? null;
    this.takes = new Batch((asks) => admitRequests(db, asks, leaseSeconds, at()));
    this.ends = new Batch(async (ends) => {
      await releaseRequests(db, ends, at());
      return ends.map(() => undefined);
    });
  }

  async take({ workspaceId, windows, parallel }: RateLimitRequest): Promise<RateLimitDecision> {
    const id = randomUUID();
    const response = await this.takes.ask(askOf(workspaceId, windows, parallel, id));
    const lease = response.allowed ? { id, workspaceId, acquiredAtMs: response.nowMs } : null;
    return { lease, windows: usesOf(windows, response), open: response.open };
  }

  async look({ workspaceId, windows }: Omit<RateLimitRequest, 'parallel'>): Promise<WindowUsage[]> {
    return usesOf(windows, await this.takes.ask(askOf(workspaceId, windows, 0, null)));
  }

  async end(
    { id, workspaceId, acquiredAtMs }: RequestLease,
    unused: readonly RequestWindow[],
  ): Promise<void> {
    const windows = unused.map((window) => ({
      name: window.name,
      openedAt: new Date(indexAt(window, acquiredAtMs) * window.seconds * 1_000),
    }));
    await this.ends.ask({ workspaceId, lease: id, unused: windows });
  }

  async renew(leases: readonly RequestLease[]): Promise<void> {
    await renewLeases(this.db, {
      ids: leases.map((lease) => lease.id),
      seconds: leaseSeconds,
      at: this.now?.() ?? null,
    });
  }

  async close(): Promise<void> {
    // The pool belongs to the caller.
  }
}

function askOf(
  workspaceId: number,
  windows: readonly RequestWindow[],
  parallel: number,
  lease: string | null,
): RateLimitInput {
  return {
    workspaceId,
    lease,
    parallel,
    names: windows.map((window) => window.name),
    seconds: windows.map((window) => window.seconds),
    limits: windows.map((window) => window.limit),
  };
}

function usesOf(windows: readonly RequestWindow[], { used, nowMs }: RateLimitRow): WindowUsage[] {
  return windows.map((window, index) => toWindowUse(window, used[index]!, nowMs));
}
