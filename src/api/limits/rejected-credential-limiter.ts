import type { AttemptCounters, AttemptKind } from '#domain/base/ports/attempt-counters.ts';
import { AppError } from '#domain/base/errors.ts';
import { evictLightest, type Count } from '#lib/evict-lightest.ts';

const rejected: AttemptKind = { name: 'rejected', limit: 120, windowMs: 60_000 };
const waitingMax = 1_000;
const knownMax = 50_000;
/** Every process blocks the address within a second of the last rejection. */
const syncIntervalMs = 500;

/**
 * Allows 120 rejected credentials a minute from one address. After that every attempt is rejected
 * without a lookup, even with a valid token. The count is exact under concurrency: while attempts
 * in flight could fill it, the next attempt waits for their outcome.
 * An accepted credential costs nothing, because counters are written only after a rejection, and
 * they publish blocked addresses.
 */
export class RejectedCredentialLimiter {
  private readonly counters: AttemptCounters;
  private readonly nowMs: () => number;
  private readonly timer: NodeJS.Timeout | undefined;
  /** By address: its use in all processes, as of the last sync. */
  private readonly known = new Map<string, Count>();
  private readonly underWay = new Map<string, number>();
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(counters: AttemptCounters, nowMs: () => number) {
    this.counters = counters;
    this.nowMs = nowMs;
    if (counters.isShared)
      this.timer = setInterval(() => void this.learn(), syncIntervalMs).unref();
  }

  /** Runs the credential lookup; `look` resolves to null when the credential is rejected. */
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

  /**
   * The rejection that exceeds the limit counted by other processes is throttled like the ones
   * after it.
   */
  private async reject(bucket: string): Promise<void> {
    const { allowed, used, restMs } = await this.counters.take(rejected, bucket);
    this.remember(bucket, used, restMs);
    if (!allowed) throw throttled(restMs);
  }

  /** Reads the counts of other processes. */
  private async learn(): Promise<void> {
    const full = await this.counters.listFull(rejected).catch(() => []);
    for (const { key, restMs } of full) this.remember(key, rejected.limit, restMs);
  }

  /** An entry older than twice its window was left by a clock that has since been set back. */
  private find(bucket: string): { used: number; restMs: number } {
    const known = this.known.get(bucket);
    const restMs = known ? known.endsMs - this.nowMs() : 0;
    return known && restMs > 0 && restMs <= 2 * rejected.windowMs
      ? { used: known.used, restMs }
      : { used: 0, restMs: 0 };
  }

  private remember(bucket: string, used: number, restMs: number): void {
    const nowMs = this.nowMs();
    evictLightest(this.known, knownMax, nowMs);
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
    // Every waiter checks again, because the window may be full now, or several slots may be free.
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
