import type {
  RequestCounters,
  RequestLease,
  RateLimitDecision,
  RateLimitRequest,
  RequestWindow,
  WindowUsage,
} from '#domain/base/ports/request-counters.ts';
import type { Guard } from './circuit-breaker.ts';
import { leaseSeconds } from './windows.ts';

const unsentMax = 1_000;
const leaseMs = leaseSeconds * 1_000;

/** The end of a request for which the shared counters gave no response. */
interface UnsentEnd {
  lease: RequestLease;
  unused: readonly RequestWindow[];
  endedMs: number;
}

export interface FallbackCountersOptions {
  shared: RequestCounters;
  /** Counts of this process alone, used as the fallback. */
  own: RequestCounters;
  guard: Guard;
  /**
   * The number of processes that share the limits. While the shared counters are unavailable, each
   * process gets an equal share.
   */
  processes: number;
}

/** Shared counters with a fallback, so that an outage of the counters rejects nobody. */
export class FallbackCounters implements RequestCounters {
  private readonly options: FallbackCountersOptions;
  private readonly ownLeases = new WeakSet<RequestLease>();
  private unsent: UnsentEnd[] = [];

  constructor(options: FallbackCountersOptions) {
    this.options = options;
  }

  async take(taking: RateLimitRequest): Promise<RateLimitDecision> {
    const { shared, own } = this.options;
    // The late response counted a request that was also counted locally.
    const undo = (late: RateLimitDecision) =>
      late.lease ? shared.end(late.lease, taking.windows) : undefined;
    const taken = await this.ask(() => shared.take(taking), undo);
    if (taken) return taken;
    const parallel = this.part(taking.parallel);
    const ownTaken = await own.take({
      ...taking,
      parallel,
      windows: taking.windows.map((window) => this.partOf(window)),
    });
    if (ownTaken.lease) this.ownLeases.add(ownTaken.lease);
    return ownTaken;
  }

  async look(looking: Omit<RateLimitRequest, 'parallel'>): Promise<WindowUsage[]> {
    const { shared, own } = this.options;
    const uses = await this.ask(() => shared.look(looking));
    return (
      uses ??
      own.look({ ...looking, windows: looking.windows.map((window) => this.partOf(window)) })
    );
  }

  async end(lease: RequestLease, unused: readonly RequestWindow[]): Promise<void> {
    const { shared, own } = this.options;
    if (this.ownLeases.has(lease)) return own.end(lease, unused);
    const isSent = (await this.ask(() => shared.end(lease, unused))) !== null;
    if (!isSent) this.keep([{ lease, unused, endedMs: performance.now() }]);
  }

  async renew(leases: readonly RequestLease[]): Promise<void> {
    const { shared, own } = this.options;
    const isOwn = (lease: RequestLease) => this.ownLeases.has(lease);
    await own.renew(leases.filter(isOwn));
    const others = leases.filter((lease) => !isOwn(lease));
    if (others.length > 0) await this.ask(() => shared.renew(others));
  }

  async close(): Promise<void> {
    await Promise.all([this.options.shared.close(), this.options.own.close()]);
  }

  /**
   * Sends ends that got no response before the next request: their leases would occupy slots until
   * they expire. Ending a lease twice changes nothing.
   */
  private async ask<T>(
    question: () => Promise<T>,
    undo?: (late: T) => Promise<void> | undefined,
  ): Promise<T | null> {
    const { shared, guard } = this.options;
    let ends: UnsentEnd[] = [];
    const response = await guard.ask(async () => {
      ends = this.unsent;
      this.unsent = [];
      await Promise.all(ends.map(({ lease, unused }) => shared.end(lease, unused)));
      return question();
    }, undo);
    if (response === null) this.keep(ends);
    return response;
  }

  /** Drops the ends of leases that have expired, and the oldest of too many. */
  private keep(ends: readonly UnsentEnd[]): void {
    const sinceMs = performance.now() - leaseMs;
    this.unsent = [...this.unsent, ...ends]
      .filter(({ endedMs }) => endedMs > sinceMs)
      .slice(-unsentMax);
  }

  private part(limit: number): number {
    return Math.max(1, Math.floor(limit / this.options.processes));
  }

  private partOf(window: RequestWindow): RequestWindow {
    return { ...window, limit: this.part(window.limit) };
  }
}
