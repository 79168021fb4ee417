import type { UtcDay } from '../../lib/dates.ts';
import type { StoreName } from '../ports.ts';

export interface CachedListing {
  id: number;
  hash: number | null;
  /** The day its card was last written. */
  seenOn: UtcDay | null;
}

/**
 * Listing ids by store id, the least recently used forgotten first. One per database and process, made in boot:
 * listings are never deleted and never change their id, so an entry can be old but not wrong.
 */
export class ListingCache {
  private readonly entries = new Map<string, CachedListing>();
  private readonly maxEntries: number;

  /** About 200 bytes an entry. */
  constructor(maxEntries = 100_000) {
    this.maxEntries = maxEntries;
  }

  get(store: StoreName, storeAppId: string): CachedListing | undefined {
    const key = `${store} ${storeAppId}`;
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry;
  }

  set(store: StoreName, storeAppId: string, entry: CachedListing): void {
    const key = `${store} ${storeAppId}`;
    this.entries.delete(key);
    this.entries.set(key, entry);
    if (this.entries.size > this.maxEntries) this.entries.delete(this.entries.keys().next().value!);
  }

  get size(): number {
    return this.entries.size;
  }
}
