import type {
  AttemptCounters,
  AttemptKind,
  AttemptResult,
  FullWindow,
} from '#domain/base/ports/attempt-counters.ts';
import { evictLightest, type Count } from '#lib/evict-lightest.ts';
import { listedMax } from './windows.ts';

const keysMax = 50_000;

/** Counts in memory: for an API of one process, and as the fallback of shared counters. */
export class MemoryAttempts implements AttemptCounters {
  readonly isShared = false;
  /** Each kind has a map of its own, so that a flood of one kind evicts no entries of another. */
  private readonly kinds = new Map<string, Map<string, Count>>();
  private readonly nowMs: () => number;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  async take(kind: AttemptKind, key: string): Promise<AttemptResult> {
    const nowMs = this.nowMs();
    const window = this.findOpen(kind, key, nowMs) ?? this.open(kind, key, nowMs);
    const allowed = window.used < kind.limit;
    if (allowed) window.used += 1;
    return {
      kind,
      key,
      allowed,
      used: window.used,
      endsMs: window.endsMs,
      restMs: window.endsMs - nowMs,
    };
  }

  async release({ kind, key, endsMs }: AttemptResult): Promise<void> {
    const window = this.findOpen(kind, key, this.nowMs());
    if (window?.endsMs === endsMs && window.used > 0) window.used -= 1;
  }

  async listFull(kind: AttemptKind): Promise<FullWindow[]> {
    const nowMs = this.nowMs();
    return [...this.windowsOf(kind)]
      .filter(([, { used, endsMs }]) => used >= kind.limit && endsMs > nowMs)
      .slice(-listedMax)
      .map(([key, { endsMs }]) => ({ key, restMs: endsMs - nowMs }));
  }

  async close(): Promise<void> {
    this.kinds.clear();
  }

  private windowsOf({ name }: AttemptKind): Map<string, Count> {
    const windows = this.kinds.get(name) ?? new Map<string, Count>();
    this.kinds.set(name, windows);
    return windows;
  }

  /** An entry older than twice its window was left by a clock that has since been set back. */
  private findOpen(kind: AttemptKind, key: string, nowMs: number): Count | undefined {
    const window = this.windowsOf(kind).get(key);
    const restMs = window ? window.endsMs - nowMs : 0;
    return restMs > 0 && restMs <= 2 * kind.windowMs ? window : undefined;
  }

  private open(kind: AttemptKind, key: string, nowMs: number): Count {
    const windows = this.windowsOf(kind);
    evictLightest(windows, keysMax, nowMs);
    const window = { used: 0, endsMs: nowMs + kind.windowMs };
    windows.set(key, window);
    return window;
  }
}
