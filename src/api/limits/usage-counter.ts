import type { Operation } from '#contract/operation.ts';
import type { Identity } from '#domain/accounts/auth/authenticate.ts';
import type { UsageCounts } from '#domain/accounts/workspaces/workspace-usage.ts';

type RequestCount = UsageCounts['requests'][number];
type OnDemandCount = UsageCounts['onDemand'][number];

const keysMax = 50_000;
const hourMs = 3_600_000;

/**
 * Counts requests by workspace, day, token and class in memory, and stores them every few seconds.
 * A killed process loses counts that are not stored yet; nothing is charged by them.
 */
export class UsageCounter {
  private requests = new Map<string, RequestCount>();
  private onDemand = new Map<string, OnDemandCount>();
  private inFlight: UsageCounts = { requests: [], onDemand: [] };

  /** Counts a request. An on-demand use counts only when the work was done. */
  count(
    { workspaceId, actor }: Identity,
    { rateClass, onDemand }: Operation,
    isDone: boolean,
    now: Date,
  ): void {
    if (rateClass === 'auth') return;
    const tokenId = actor.kind === 'token' ? actor.tokenId : 0;
    const date = now.toISOString().slice(0, 10);
    const key = `${workspaceId} ${tokenId} ${rateClass} ${date}`;
    const counted = this.requests.get(key);
    if (counted) counted.requests += 1;
    else if (this.requests.size < keysMax)
      this.requests.set(key, { workspaceId, date, tokenId, rateClass, requests: 1 });
    if (onDemand !== undefined && isDone) this.countUse(workspaceId, onDemand, now);
  }

  /** Counts that are not stored yet. */
  pending(): UsageCounts {
    return {
      requests: [...this.inFlight.requests, ...this.requests.values()],
      onDemand: [...this.inFlight.onDemand, ...this.onDemand.values()],
    };
  }

  /** Stores the counts, one call at a time. When that fails they stay in memory. */
  async flush(write: (counts: UsageCounts) => Promise<void>): Promise<void> {
    const isIdle = this.inFlight.requests.length === 0 && this.inFlight.onDemand.length === 0;
    if (!isIdle || (this.requests.size === 0 && this.onDemand.size === 0)) return;
    const [requests, onDemand] = [this.requests, this.onDemand];
    this.inFlight = { requests: [...requests.values()], onDemand: [...onDemand.values()] };
    this.requests = new Map();
    this.onDemand = new Map();
    try {
      await write(this.inFlight);
    } catch (error) {
      takeBack(this.requests, requests, (counted, more) => (counted.requests += more.requests));
      takeBack(this.onDemand, onDemand, (counted, more) => (counted.uses += more.uses));
      throw error;
    } finally {
      this.inFlight = { requests: [], onDemand: [] };
    }
  }

  private countUse(workspaceId: number, kind: string, now: Date): void {
    const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs);
    const key = `${workspaceId} ${kind} ${hour.getTime()}`;
    const counted = this.onDemand.get(key);
    if (counted) counted.uses += 1;
    else if (this.onDemand.size < keysMax)
      this.onDemand.set(key, { workspaceId, kind, hour, uses: 1 });
  }
}

function takeBack<C>(
  current: Map<string, C>,
  unwritten: Map<string, C>,
  add: (counted: C, more: C) => void,
): void {
  for (const [key, count] of unwritten) {
    const counted = current.get(key);
    if (counted) add(counted, count);
    else current.set(key, count);
  }
}
