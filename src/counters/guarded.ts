import type {
  RequestCounters,
  RequestLease,
  RequestTaken,
  RequestTaking,
  RequestWindow,
  WindowUse,
} from '../domain/billing/request-counters.ts';
import type { Guard } from './guard.ts';

export interface GuardedOptions {
  shared: RequestCounters;
  /** Of this process alone. */
  own: RequestCounters;
  guard: Guard;
  /** How many processes share the limits: while the shared counters are away, each keeps to its part. */
  processes: number;
}

/** Shared counters that may be away, slow or full: nobody is refused for that. */
export class GuardedCounters implements RequestCounters {
  private readonly options: GuardedOptions;
  private readonly ownLeases = new WeakSet<RequestLease>();

  constructor(options: GuardedOptions) {
    this.options = options;
  }

  async take(taking: RequestTaking): Promise<RequestTaken> {
    const { shared, own, guard } = this.options;
    // One that answers too late has counted a request that goes by other counters now.
    const undo = (late: RequestTaken) =>
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

  async look(looking: Omit<RequestTaking, 'parallel'>): Promise<WindowUse[]> {
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
