import type { Operation } from '../../contract/operation.ts';
import type { Identity } from '../../domain/accounts/identify.ts';
import type { UsageCounts } from '../../domain/workspaces/usage.ts';

type RequestCount = UsageCounts['requests'][number];
type OnDemandCount = UsageCounts['onDemand'][number];

const keysMax = 50_000;
const hourMs = 3_600_000;

/**
 * Requests by workspace, day, token and class, counted in memory: a look-up and an addition each. Written out every few
 * seconds; what a killed process had not written yet is lost, as nothing is charged by it.
 */
export class UsageCounter {
  private requests = new Map<string, RequestCount>();
  private onDemand = new Map<string, OnDemandCount>();
  private beingWritten: UsageCounts = { requests: [], onDemand: [] };

  /** Of requests that were let in: a refused one spends nothing. Only what was done counts as a use on demand. */
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

  /** What is not stored yet. */
  pending(): UsageCounts {
    return {
      requests: [...this.beingWritten.requests, ...this.requests.values()],
      onDemand: [...this.beingWritten.onDemand, ...this.onDemand.values()],
    };
  }

  /** Hands over what was counted; when it could not be written, it is counted on. One at a time. */
  async flush(write: (counts: UsageCounts) => Promise<void>): Promise<void> {
    const isIdle =
      this.beingWritten.requests.length === 0 && this.beingWritten.onDemand.length === 0;
    if (!isIdle || (this.requests.size === 0 && this.onDemand.size === 0)) return;
    const [requests, onDemand] = [this.requests, this.onDemand];
    this.beingWritten = { requests: [...requests.values()], onDemand: [...onDemand.values()] };
    this.requests = new Map();
    this.onDemand = new Map();
    try {
      await write(this.beingWritten);
    } catch (error) {
      takeBack(this.requests, requests, (counted, more) => (counted.requests += more.requests));
      takeBack(this.onDemand, onDemand, (counted, more) => (counted.uses += more.uses));
      throw error;
    } finally {
      this.beingWritten = { requests: [], onDemand: [] };
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
