import { randomUUID } from 'node:crypto';
import {
  endRequests,
  renewLeases,
  takeRequests,
  type Queryable,
  type RequestAnswer,
  type RequestAsk,
  type RequestEnd,
} from '../db/queries/limits.ts';
import type {
  RequestCounters,
  RequestLease,
  RequestTaken,
  RequestTaking,
  RequestWindow,
  WindowUse,
} from '../domain/billing/request-counters.ts';
import { Batch } from './batch.ts';
import { indexAt, leaseSeconds, showUse } from './windows.ts';

/** For any number of API processes on one database, without a Redis. Time is the server's own. */
export class PostgresCounters implements RequestCounters {
  private readonly takes: Batch<RequestAsk, RequestAnswer>;
  private readonly ends: Batch<RequestEnd, undefined>;
  private readonly db: Queryable;
  private readonly now: (() => Date) | null;

  /** `now` is for tests. */
  constructor(db: Queryable, now: (() => Date) | null = null) {
    this.db = db;
    this.now = now;
    const at = () => now?.() ?? null;
    this.takes = new Batch((asks) => takeRequests(db, asks, leaseSeconds, at()));
    this.ends = new Batch(async (ends) => {
      await endRequests(db, ends, at());
      return ends.map(() => undefined);
    });
  }

  async take({ workspaceId, windows, parallel }: RequestTaking): Promise<RequestTaken> {
    const id = randomUUID();
    const answer = await this.takes.ask(askOf(workspaceId, windows, parallel, id));
    const lease = answer.took ? { id, workspaceId, takenAtMs: answer.nowMs } : null;
    return { lease, windows: usesOf(windows, answer), open: answer.open };
  }

  async look({ workspaceId, windows }: Omit<RequestTaking, 'parallel'>): Promise<WindowUse[]> {
    return usesOf(windows, await this.takes.ask(askOf(workspaceId, windows, 0, null)));
  }

  async end(
    { id, workspaceId, takenAtMs }: RequestLease,
    unused: readonly RequestWindow[],
  ): Promise<void> {
    const windows = unused.map((window) => ({
      name: window.name,
      openedAt: new Date(indexAt(window, takenAtMs) * window.seconds * 1_000),
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
    // The pool is not ours.
  }
}

function askOf(
  workspaceId: number,
  windows: readonly RequestWindow[],
  parallel: number,
  lease: string | null,
): RequestAsk {
  return {
    workspaceId,
    lease,
    parallel,
    names: windows.map((window) => window.name),
    seconds: windows.map((window) => window.seconds),
    limits: windows.map((window) => window.limit),
  };
}

function usesOf(windows: readonly RequestWindow[], { used, nowMs }: RequestAnswer): WindowUse[] {
  return windows.map((window, index) => showUse(window, used[index]!, nowMs));
}
