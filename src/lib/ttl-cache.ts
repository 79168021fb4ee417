import { LRUCache } from 'lru-cache';

const maxEntries = 10_000;

/**
 * Caches recent lookups, except failed and empty ones. Concurrent lookups of one key share one
 * request.
 */
export class TtlCache {
  /** Null for a lifetime of 0, which the library would treat as unlimited. */
  private readonly lookups: LRUCache<string, Promise<unknown>> | null;
  private readonly inTime: <T>(work: Promise<T>) => Promise<T>;

  /**
   * The lifetime starts when a lookup begins, so a cached response is never older. `inTime` rejects
   * when one takes too long.
   */
  constructor(ttlMs: number, inTime: <T>(work: Promise<T>) => Promise<T>) {
    this.lookups =
      ttlMs > 0 ? new LRUCache({ max: maxEntries, ttl: ttlMs, ttlResolution: 0 }) : null;
    this.inTime = inTime;
  }

  /** A lookup that is cached or being made. */
  get<T>(key: string): Promise<T | undefined> | undefined {
    return this.lookups?.get(key) as Promise<T | undefined> | undefined;
  }

  find<T>(key: string, look: () => Promise<T | undefined>): Promise<T | undefined> {
    const known = this.get<T>(key);
    if (known) return known;
    const lookup = this.inTime(look());
    this.lookups?.set(key, lookup);
    const drop = () => this.lookups?.peek(key) === lookup && this.lookups.delete(key);
    lookup.then((value) => value === undefined && drop(), drop);
    return lookup;
  }

  /** Must be called after every write, so that the next lookup is fresh. */
  forget(): void {
    this.lookups?.clear();
  }
}
