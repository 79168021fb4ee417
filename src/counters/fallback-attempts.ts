import type {
  AttemptCounters,
  AttemptKind,
  AttemptResult,
  FullWindow,
} from '#domain/base/ports/attempt-counters.ts';
import type { Guard } from './circuit-breaker.ts';

/**
 * Shared counters with a fallback: while they are unavailable, this process counts alone, against
 * the whole limit.
 */
export class FallbackAttempts implements AttemptCounters {
  readonly isShared = true;
  private readonly shared: AttemptCounters;
  private readonly own: AttemptCounters;
  private readonly guard: Guard;
  private readonly ownTaken = new WeakSet<AttemptResult>();

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

  async take(kind: AttemptKind, key: string): Promise<AttemptResult> {
    // The late response counted an attempt that was also counted locally.
    const undo = (late: AttemptResult) => (late.allowed ? this.shared.release(late) : undefined);
    const taken = await this.guard.ask(() => this.shared.take(kind, key), undo);
    if (taken) return taken;
    const ownTaken = await this.own.take(kind, key);
    this.ownTaken.add(ownTaken);
    return ownTaken;
  }

  async release(taken: AttemptResult): Promise<void> {
    if (this.ownTaken.has(taken)) await this.own.release(taken);
    else await this.guard.ask(() => this.shared.release(taken));
  }

  async listFull(kind: AttemptKind): Promise<FullWindow[]> {
    return (await this.guard.ask(() => this.shared.listFull(kind))) ?? this.own.listFull(kind);
  }

  async close(): Promise<void> {
    await Promise.all([this.shared.close(), this.own.close()]);
  }
}
