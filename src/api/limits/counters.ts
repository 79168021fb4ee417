export interface Rule {
  limit: number;
  windowMs: number;
}

export type Verdict = { allowed: true } | { allowed: false; retryAfterSeconds: number };

/** Counts per key and window. In this process now; a shared store may take its place when there are several. */
export interface Counters {
  /** Counts one, unless the window is full: what is refused counts for nothing. */
  take(key: string, rule: Rule, nowMs: number): Verdict;
  /** Takes one back. */
  giveBack(key: string, rule: Rule, nowMs: number): void;
  /** Looks without counting. */
  look(key: string, rule: Rule, nowMs: number): Verdict;
}

interface Window {
  startedMs: number;
  count: number;
}

const keysMax = 50_000;

/** A window opens with its first count and closes `windowMs` later; a clock that was set back closes it too. */
export class MemoryCounters implements Counters {
  private readonly windows = new Map<string, Window>();

  take(key: string, rule: Rule, nowMs: number): Verdict {
    const verdict = this.look(key, rule, nowMs);
    if (verdict.allowed) this.open(key, rule, nowMs).count += 1;
    return verdict;
  }

  giveBack(key: string, rule: Rule, nowMs: number): void {
    const window = this.find(key, rule, nowMs);
    if (window && window.count > 0) window.count -= 1;
  }

  look(key: string, rule: Rule, nowMs: number): Verdict {
    const window = this.find(key, rule, nowMs);
    if (!window || window.count < rule.limit) return { allowed: true };
    const restMs = window.startedMs + rule.windowMs - nowMs;
    return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(restMs / 1_000)) };
  }

  /** How many have been counted in the open window. */
  countOf(key: string, rule: Rule, nowMs: number): number {
    return this.find(key, rule, nowMs)?.count ?? 0;
  }

  private find(key: string, rule: Rule, nowMs: number): Window | undefined {
    const window = this.windows.get(key);
    if (!window) return undefined;
    const ageMs = nowMs - window.startedMs;
    if (ageMs >= 0 && ageMs < rule.windowMs) return window;
    this.windows.delete(key);
    return undefined;
  }

  private open(key: string, rule: Rule, nowMs: number): Window {
    const found = this.find(key, rule, nowMs);
    if (found) return found;
    if (this.windows.size >= keysMax) this.makeRoom();
    const window = { startedMs: nowMs, count: 0 };
    this.windows.set(key, window);
    return window;
  }

  /** The tenth that was opened first goes: a Map keeps the order in which keys came. */
  private makeRoom(): void {
    let left = keysMax / 10;
    for (const key of this.windows.keys()) {
      if (left === 0) return;
      this.windows.delete(key);
      left -= 1;
    }
  }
}
