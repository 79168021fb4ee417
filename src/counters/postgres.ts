import { randomUUID } from 'node:crypto';
import { endRequest, renewLeases, takeRequest, type Queryable, type RequestAnswer } from '../db/queries/limits.ts';
import type { RequestCounters, RequestLease, RequestTaken, RequestTaking, RequestWindow, WindowUse } from '../domain/billing/request-counters.ts';
import { indexAt, leaseSeconds, showUse } from './windows.ts';

/** For any number of API processes on one database, without a Redis. Time is the server's own. */
export class PostgresCounters implements RequestCounters {
  private readonly db: Queryable;
  private readonly now: (() => Date) | null;

  /** `now` is for tests. */
  constructor(db: Queryable, now: (() => Date) | null = null) {
    this.db = db;
    this.now = now;
  }

  async take({ workspaceId, windows, parallel }: RequestTaking): Promise<RequestTaken> {
    const id = randomUUID();
    const answer = await this.ask(workspaceId, windows, parallel, id);
    const lease = answer.took ? { id, workspaceId, takenAtMs: answer.nowMs } : null;
    return { lease, windows: usesOf(windows, answer), open: answer.open };
  }

  async look({ workspaceId, windows }: Omit<RequestTaking, 'parallel'>): Promise<WindowUse[]> {
    return usesOf(windows, await this.ask(workspaceId, windows, 0, null));
  }

  async end({ id, workspaceId, takenAtMs }: RequestLease, unused: readonly RequestWindow[]): Promise<void> {
    const openedAt = unused.map((window) => new Date(indexAt(window, takenAtMs) * window.seconds * 1_000));
    await endRequest(this.db, { workspaceId, lease: id, names: unused.map((window) => window.name), openedAt, at: this.now?.() ?? null });
  }

  async renew(leases: readonly RequestLease[]): Promise<void> {
    await renewLeases(this.db, { ids: leases.map((lease) => lease.id), seconds: leaseSeconds, at: this.now?.() ?? null });
  }

  async close(): Promise<void> {
    // The pool is not ours.
  }

  private ask(workspaceId: number, windows: readonly RequestWindow[], parallel: number, lease: string | null): Promise<RequestAnswer> {
    return takeRequest(this.db, {
      workspaceId,
      lease,
      leaseSeconds,
      parallel,
      names: windows.map((window) => window.name),
      seconds: windows.map((window) => window.seconds),
      limits: windows.map((window) => window.limit),
      at: this.now?.() ?? null,
    });
  }
}

function usesOf(windows: readonly RequestWindow[], { used, nowMs }: RequestAnswer): WindowUse[] {
  return windows.map((window, index) => showUse(window, used[index]!, nowMs));
}
