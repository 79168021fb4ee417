import type {
  RequestCounters,
  RequestLease,
  RateLimitDecision,
  RateLimitRequest,
  RequestWindow,
  WindowUsage,
} from '#domain/base/ports/request-counters.ts';
import type { Guard } from './circuit-breaker.ts';

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

  constructor(options: FallbackCountersOptions) {
    this.options = options;
  }

  async take(taking: RateLimitRequest): Promise<RateLimitDecision> {
    const { shared, own, guard } = this.options;
    // The late response counted a request that was also counted locally.
    const undo = (late: RateLimitDecision) =>
      late.lease ? shared.end(late.lease, taking.windows) : undefined;
    const taken = await guard.ask(() => shared.take(taking), undo);
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
    const { shared, own, guard } = this.options;
    const uses = await guard.ask(() => shared.look(looking));
    return (
      uses ??
      own.look({ ...looking, windows: looking.windows.map((window) => this.partOf(window)) })
    );
  }

  async end(lease: RequestLease, unused: readonly RequestWindow[]): Promise<void> {
    const { shared, own, guard } = this.options;
    if (this.ownLeases.has(lease)) await own.end(lease, unused);
    else await guard.ask(() => shared.end(lease, unused));
  }

  async renew(leases: readonly RequestLease[]): Promise<void> {
    const { shared, own, guard } = this.options;
    const isOwn = (lease: RequestLease) => this.ownLeases.has(lease);
    await own.renew(leases.filter(isOwn));
    const others = leases.filter((lease) => !isOwn(lease));
    if (others.length > 0) await guard.ask(() => shared.renew(others));
  }

  async close(): Promise<void> {
    await Promise.all([this.options.shared.close(), this.options.own.close()]);
  }

  private part(limit: number): number {
    return Math.max(1, Math.floor(limit / this.options.processes));
  }

  private partOf(window: RequestWindow): RequestWindow {
    return { ...window, limit: this.part(window.limit) };
  }
}
