import type { AttemptCounters, AttemptKind } from '../../domain/accounts/attempt-counters.ts';
import { AppError } from '../../domain/errors.ts';
import { makeRoom, type Count } from '../../lib/make-room.ts';

const rejected: AttemptKind = { name: 'rejected', limit: 120, windowMs: 60_000 };
const waitingMax = 1_000;
const knownMax = 50_000;
/** Within a second of the last rejection every process refuses the address. */
const learnEveryMs = 500;

/**
 * 120 rejected credentials a minute from one address; the next attempt is refused without a lookup, a valid token too.
 * Exact however many come at once: while those under way could fill the count, the next one waits for their outcome.
 * An accepted credential costs nothing: the counters are asked when one was rejected, and tell by themselves who is blocked.
 */
export class Rejections {
  private readonly counters: AttemptCounters;
  private readonly nowMs: () => number;
  private readonly timer: NodeJS.Timeout | undefined;
  /** By address: how far its window is filled, by all processes, as of the last answer. */
  private readonly known = new Map<string, Count>();
  private readonly underWay = new Map<string, number>();
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(counters: AttemptCounters, nowMs: () => number) {
    this.counters = counters;
    this.nowMs = nowMs;
    if (counters.isShared) this.timer = setInterval(() => void this.learn(), learnEveryMs).unref();
  }

  /** Runs the look at a credential; `look` resolves to null when it is rejected. */
  async count<T>(bucket: string, look: () => Promise<T | null>): Promise<T | null> {
    await this.enter(bucket);
    try {
      const found = await look();
      if (found === null) await this.reject(bucket);
      return found;
    } finally {
      this.leave(bucket);
    }
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async enter(bucket: string): Promise<void> {
    for (;;) {
      const { used, restMs } = this.find(bucket);
      if (used >= rejected.limit) throw throttled(restMs);
      const underWay = this.underWay.get(bucket) ?? 0;
      if (used + underWay < rejected.limit) {
        this.underWay.set(bucket, underWay + 1);
        return;
      }
      await this.waitForOne(bucket);
    }
  }

  /** One that another process's rejections left no room for is refused like those that come after it. */
  private async reject(bucket: string): Promise<void> {
    const { took, used, restMs } = await this.counters.take(rejected, bucket);
    this.remember(bucket, used, restMs);
    if (!took) throw throttled(restMs);
  }

  /** What other processes filled. */
  private async learn(): Promise<void> {
    const full = await this.counters.listFull(rejected).catch(() => []);
    for (const { key, restMs } of full) this.remember(key, rejected.limit, restMs);
  }

  /** One that would stand for twice its length was left behind by a clock that was set back. */
  private find(bucket: string): { used: number; restMs: number } {
    const known = this.known.get(bucket);
    const restMs = known ? known.endsMs - this.nowMs() : 0;
    return known && restMs > 0 && restMs <= 2 * rejected.windowMs
      ? { used: known.used, restMs }
      : { used: 0, restMs: 0 };
  }

  private remember(bucket: string, used: number, restMs: number): void {
    const nowMs = this.nowMs();
    makeRoom(this.known, knownMax, nowMs);
    this.known.set(bucket, {
      used: Math.max(used, this.find(bucket).used),
      endsMs: nowMs + restMs,
    });
  }

  private waitForOne(bucket: string): Promise<void> {
    const line = this.waiting.get(bucket) ?? [];
    if (line.length >= waitingMax) throw throttled(1_000);
    this.waiting.set(bucket, line);
    return new Promise((resolve) => line.push(resolve));
  }

  private leave(bucket: string): void {
    const left = (this.underWay.get(bucket) ?? 1) - 1;
    if (left > 0) this.underWay.set(bucket, left);
    else this.underWay.delete(bucket);
    // All look again: the count may have become full, or several places free.
    const line = this.waiting.get(bucket);
    this.waiting.delete(bucket);
    for (const next of line ?? []) next();
  }
}

function throttled(restMs: number): AppError {
  return new AppError('credential_throttled', undefined, {
    retryAfterSeconds: Math.max(1, Math.ceil(restMs / 1_000)),
  });
}
