import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { UtcDay } from '#lib/dates.ts';
import type { StoreName } from '#domain/base/ports.ts';

export interface CachedListing {
  id: number;
  hash: number | null;
  /** The day its card was last written. */
  seenOn: UtcDay | null;
}

interface ShownName {
  name: string;
  day: UtcDay;
}

interface CachedName {
  hash: number | null;
  writtenOn: UtcDay | null;
}

/**
 * Listing ids by store id, with least recently used eviction. One per database and process;
 * listings are never deleted and keep their id, so entries are never wrong.
 */
export class ListingCache {
  private readonly entries: LRUCache<string, CachedListing>;
  /** The names that storefronts show, by country and listing. */
  private readonly names: LRUCache<string, CachedName>;
  /** The day on which a listing began to wait for its name, by country and listing. */
  private readonly awaited: LRUCache<string, UtcDay>;

  /** About 200 bytes per entry, and 150 per name. */
  constructor(maxEntries = 100_000) {
    // With `max` the library would reserve the memory of a full cache at once.
    this.entries = new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
    this.names = new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
    this.awaited = new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
  }

  /** True when the country has a name for the listing. */
  isNamed(country: string, listingId: number): boolean {
    return this.names.has(`${country} ${listingId}`);
  }

  /** True when the country's name for the listing is this one, or was written on the day. */
  hasName(country: string, listingId: number, { name, day }: ShownName): boolean {
    const known = this.names.get(`${country} ${listingId}`);
    return known !== undefined && (known.hash === crc32(name) || known.writtenOn === day);
  }

  /** Null for a name that is known and was not read. */
  setNamed(country: string, listingId: number, shown: ShownName | null): void {
    const name = shown && { hash: crc32(shown.name), writtenOn: shown.day };
    this.names.set(`${country} ${listingId}`, name ?? { hash: null, writtenOn: null });
  }

  /** True when the listing was queued on the day for a lookup of its name in the country. */
  isNameAwaited(country: string, listingId: number, day: UtcDay): boolean {
    return this.awaited.get(`${country} ${listingId}`) === day;
  }

  setNameAwaited(country: string, listingId: number, day: UtcDay): void {
    this.awaited.set(`${country} ${listingId}`, day);
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
