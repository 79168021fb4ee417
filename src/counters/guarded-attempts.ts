import type {
  AttemptCounters,
  AttemptKind,
  AttemptTaken,
  FullWindow,
} from '../domain/accounts/attempt-counters.ts';
import type { Guard } from './guard.ts';

/** Shared counters that may be away, slow or full: then this process throttles by what it sees itself, at the whole limit. */
export class GuardedAttempts implements AttemptCounters {
  readonly isShared = true;
  private readonly shared: AttemptCounters;
  private readonly own: AttemptCounters;
  private readonly guard: Guard;
  private readonly ownTaken = new WeakSet<AttemptTaken>();

  constructor({
    shared,
    own,
    guard,
  }: {
    shared: AttemptCounters;
    own: AttemptCounters;
    guard: Guard;
  }) {
    this.shared = shared;
    this.own = own;
    this.guard = guard;
  }

  async take(kind: AttemptKind, key: string): Promise<AttemptTaken> {
    // One that answers too late has counted what is counted here now.
    const undo = (late: AttemptTaken) => (late.took ? this.shared.giveBack(late) : undefined);
    const taken = await this.guard.ask(() => this.shared.take(kind, key), undo);
    if (taken) return taken;
    const ownTaken = await this.own.take(kind, key);
    this.ownTaken.add(ownTaken);
    return ownTaken;
  }

  async giveBack(taken: AttemptTaken): Promise<void> {
    if (this.ownTaken.has(taken)) await this.own.giveBack(taken);
    else await this.guard.ask(() => this.shared.giveBack(taken));
  }

  async listFull(kind: AttemptKind): Promise<FullWindow[]> {
    return (await this.guard.ask(() => this.shared.listFull(kind))) ?? this.own.listFull(kind);
  }

  async close(): Promise<void> {
    await Promise.all([this.shared.close(), this.own.close()]);
  }
}
