import { randomUUID } from 'node:crypto';
import type {
  RequestCounters,
  RequestLease,
  RateLimitDecision,
  RateLimitRequest,
  RequestWindow,
  WindowUsage,
} from '#domain/base/ports/request-counters.ts';
import { indexAt, leaseSeconds, toWindowUse } from './windows.ts';

interface Count {
  index: number;
  used: number;
  endsMs: number;
}

interface Workspace {
  counts: Map<string, Count>;
  /** The end of each lease in milliseconds. */
  leases: Map<string, number>;
  earlier: { used: ReadonlyMap<string, number>; atMs: number };
}

/**
 * By window name: requests from before this process started, in windows that are still open. With
 * them, a restart does not reset the day.
 */
export type EarlierUse = (workspaceId: number) => Promise<ReadonlyMap<string, number>>;

const leaseMs = leaseSeconds * 1_000;
const cleanupIntervalMs = 60_000;

/** For an API of one process. Counts in memory. */
export class MemoryCounters implements RequestCounters {
  private readonly workspaces = new Map<number, Workspace>();
  private readonly nowMs: () => number;
  private readonly earlier: EarlierUse | null;
  private lastCleanupMs: number;

  constructor(nowMs: () => number, earlier: EarlierUse | null = null) {
    this.nowMs = nowMs;
    this.earlier = earlier;
    this.lastCleanupMs = nowMs();
  }

  async take({ workspaceId, windows, parallel }: RateLimitRequest): Promise<RateLimitDecision> {
    this.dropExpired(this.nowMs());
    const workspace = await this.find(workspaceId);
    const nowMs = this.nowMs();
    endOld(workspace, nowMs);
    const open = workspace.leases.size;
    const counts = windows.map((window) => countOf(workspace, window, nowMs));
    const isFull =
      open >= parallel || windows.some((window, index) => counts[index]!.used >= window.limit);
    const uses = () =>
      windows.map((window, index) => toWindowUse(window, counts[index]!.used, nowMs));
    if (isFull) return { lease: null, windows: uses(), open };
    for (const count of counts) count.used += 1;
    const lease = { id: randomUUID(), workspaceId, acquiredAtMs: nowMs };
    workspace.leases.set(lease.id, nowMs + leaseMs);
    return { lease, windows: uses(), open: open + 1 };
  }

  async look({ workspaceId, windows }: Omit<RateLimitRequest, 'parallel'>): Promise<WindowUsage[]> {
    const workspace = await this.find(workspaceId);
    const nowMs = this.nowMs();
    return windows.map((window) =>
      toWindowUse(window, countOf(workspace, window, nowMs).used, nowMs),
    );
  }

  async end(lease: RequestLease, unused: readonly RequestWindow[]): Promise<void> {
    const workspace = this.workspaces.get(lease.workspaceId);
    const endsMs = workspace?.leases.get(lease.id);
    if (!workspace || endsMs === undefined) return;
    workspace.leases.delete(lease.id);
    if (endsMs <= this.nowMs()) return;
    for (const window of unused) {
      const count = workspace.counts.get(window.name);
      if (count && count.index === indexAt(window, lease.acquiredAtMs) && count.used > 0)
        count.used -= 1;
    }
  }

  async renew(leases: readonly RequestLease[]): Promise<void> {
    const endsMs = this.nowMs() + leaseMs;
    for (const { id, workspaceId } of leases) {
      const held = this.workspaces.get(workspaceId)?.leases;
      if (held?.has(id)) held.set(id, endsMs);
    }
  }

  async close(): Promise<void> {
    this.workspaces.clear();
  }

  private async find(workspaceId: number): Promise<Workspace> {
    const found = this.workspaces.get(workspaceId);
    if (found) return found;
    const earlier = {
      used: (await this.earlier?.(workspaceId)) ?? new Map<string, number>(),
      atMs: this.nowMs(),
    };
    // Several requests may have waited for the same response. The first one created the workspace.
    const made = this.workspaces.get(workspaceId) ?? {
      counts: new Map(),
      leases: new Map(),
      earlier,
    };
    this.workspaces.set(workspaceId, made);
    return made;
  }

  /** Removes inactive workspaces, whose windows ended long ago. */
  private dropExpired(nowMs: number): void {
    if (Math.abs(nowMs - this.lastCleanupMs) < cleanupIntervalMs) return;
    this.lastCleanupMs = nowMs;
    for (const [id, workspace] of this.workspaces) {
      endOld(workspace, nowMs);
      const isIdle =
        workspace.leases.size === 0 &&
        [...workspace.counts.values()].every((count) => count.endsMs <= nowMs);
      if (isIdle) this.workspaces.delete(id);
    }
  }
}

function countOf(workspace: Workspace, window: RequestWindow, nowMs: number): Count {
  const index = indexAt(window, nowMs);
  const known = workspace.counts.get(window.name);
  if (known?.index === index) return known;
  const { earlier } = workspace;
  const used = indexAt(window, earlier.atMs) === index ? (earlier.used.get(window.name) ?? 0) : 0;
  const fresh = { index, used, endsMs: (index + 1) * window.seconds * 1_000 };
  workspace.counts.set(window.name, fresh);
  return fresh;
}

function endOld({ leases }: Workspace, nowMs: number): void {
  for (const [id, endsMs] of leases) if (endsMs <= nowMs) leases.delete(id);
}
