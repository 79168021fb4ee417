import { LRUCache } from 'lru-cache';

const maxEntries = 10_000;

/**
 * Lookups of a moment ago, failed and empty ones excepted. Two at the same time share one lookup.
 */
export class TtlCache {
  /** Null for a lifetime of 0, which the library takes for one without an end. */
  private readonly lookups: LRUCache<string, Promise<unknown>> | null;
  private readonly inTime: <T>(work: Promise<T>) => Promise<T>;

  /**
   * The lifetime counts from when a lookup begins, so that its answer is never older. `inTime`
   * rejects when one takes too long.
   */
  constructor(ttlMs: number, inTime: <T>(work: Promise<T>) => Promise<T>) {
    this.lookups =
      ttlMs > 0 ? new LRUCache({ max: maxEntries, ttl: ttlMs, ttlResolution: 0 }) : null;
    this.inTime = inTime;
  }

  find<T>(key: string, look: () => Promise<T | undefined>): Promise<T | undefined> {
    const known = this.lookups?.get(key);
    if (known) return known as Promise<T | undefined>;
    const lookup = this.inTime(look());
    this.lookups?.set(key, lookup);
    const drop = () => this.lookups?.peek(key) === lookup && this.lookups.delete(key);
    lookup.then((value) => value === undefined && drop(), drop);
    return lookup;
  }

  /** To be called after every write: the next lookup asks again. */
  forget(): void {
    this.lookups?.clear();
  }
}
