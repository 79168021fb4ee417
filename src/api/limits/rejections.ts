import { AppError } from '../../domain/errors.ts';
import { MemoryCounters, type Rule } from './counters.ts';

const rule: Rule = { limit: 120, windowMs: 60_000 };
const waitingMax = 1_000;

/**
 * 120 rejected credentials a minute from one address; the next attempt is refused without a lookup, a valid token too.
 * Exact however many come at once: while those under way could fill the count, the next one waits for their outcome.
 * An accepted credential costs nothing.
 */
export class Rejections {
  private readonly counters = new MemoryCounters();
  private readonly underWay = new Map<string, number>();
  private readonly waiting = new Map<string, (() => void)[]>();

  /** Runs the look at a credential; `look` resolves to null when it is rejected. */
  async count<T>(bucket: string, now: () => Date, look: () => Promise<T | null>): Promise<T | null> {
    await this.enter(bucket, now);
    try {
      const found = await look();
      if (found === null) this.counters.take(bucket, rule, now().getTime());
      return found;
    } finally {
      this.leave(bucket);
    }
  }

  private async enter(bucket: string, now: () => Date): Promise<void> {
    for (;;) {
      const verdict = this.counters.look(bucket, rule, now().getTime());
      if (!verdict.allowed) throw new AppError('credential_throttled', undefined, { retryAfterSeconds: verdict.retryAfterSeconds });
      const underWay = this.underWay.get(bucket) ?? 0;
      if (this.counters.countOf(bucket, rule, now().getTime()) + underWay < rule.limit) {
        this.underWay.set(bucket, underWay + 1);
        return;
      }
      await this.waitForOne(bucket);
    }
  }

  private waitForOne(bucket: string): Promise<void> {
    const line = this.waiting.get(bucket) ?? [];
    if (line.length >= waitingMax) throw new AppError('credential_throttled', undefined, { retryAfterSeconds: 1 });
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
