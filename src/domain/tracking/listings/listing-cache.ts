import { LRUCache } from 'lru-cache';
import type { UtcDay } from '#lib/dates.ts';
import type { StoreName } from '#domain/base/ports.ts';

export interface CachedListing {
  id: number;
  hash: number | null;
  /** The day its card was last written. */
  seenOn: UtcDay | null;
}

/**
 * Listing ids by store id, with least recently used eviction. One per database and process;
 * listings are never deleted and keep their id, so entries are never wrong.
 */
export class ListingCache {
  private readonly entries: LRUCache<string, CachedListing>;

  /** About 200 bytes per entry. */
  constructor(maxEntries = 100_000) {
    // With `max` the library would reserve the memory of a full cache at once.
    this.entries = new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
  }

  get(store: StoreName, storeAppId: string): CachedListing | undefined {
    return this.entries.get(`${store} ${storeAppId}`);
  }

  set(store: StoreName, storeAppId: string, entry: CachedListing): void {
    this.entries.set(`${store} ${storeAppId}`, entry);
  }

  get size(): number {
    return this.entries.size;
  }
}
