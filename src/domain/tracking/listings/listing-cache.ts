import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { areOtherRatings, type Ratings } from '#db/queries/listings/listing-ratings.ts';
import { addDays, type UtcDay } from '#lib/dates.ts';
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
  /** Written last, and the day. */
  ratings?: Ratings | undefined;
  ratedOn?: UtcDay | undefined;
}

/** After that ratings are compared with those of the database again. */
const daysTrusted = 7;

/**
 * Listing ids by store id, with least recently used eviction. One per database and process;
 * listings are never deleted and keep their id, so entries are never wrong.
 */
export class ListingCache {
  private readonly byStore = new Map<StoreName, LRUCache<string, CachedListing>>();
  /** The names and ratings that storefronts show, by country and listing. */
  private readonly names: LRUCache<number, CachedName>;
  /** The day on which a listing began to wait for its name, by country and listing. */
  private readonly awaited: LRUCache<number, UtcDay>;
  private readonly maxEntries: number;

  /** The limit is for each store, and for all names. An entry takes 200 bytes, a name 250. */
  constructor(maxEntries = 100_000) {
    this.maxEntries = maxEntries;
    this.names = this.create();
    this.awaited = this.create();
  }

  /** True when the country has a name for the listing. */
  isNamed(country: string, listingId: number): boolean {
    return this.names.has(keyOf(country, listingId));
  }

  /** True when the country's name for the listing is this one, or was written on the day. */
  hasName(country: string, listingId: number, { name, day }: ShownName): boolean {
    const known = this.names.get(keyOf(country, listingId));
    return known !== undefined && (known.hash === crc32(name) || known.writtenOn === day);
  }

  /** Null for a name that is known and was not read. */
  setNamed(country: string, listingId: number, shown: ShownName | null): void {
    const name = shown && { hash: crc32(shown.name), writtenOn: shown.day };
    const key = keyOf(country, listingId);
    this.names.set(key, { ...this.names.get(key), ...(name ?? { hash: null, writtenOn: null }) });
  }

  /**
   * True when the country's ratings of the listing are about these, or were written on the day.
   * Those of a later day, of a clock that was ahead, say nothing about this one, nor do those of a
   * week ago: another process or an import may have written others.
   */
  hasRatings(country: string, listingId: number, shown: Ratings & { day: UtcDay }): boolean {
    const { ratedOn, ratings } = this.names.get(keyOf(country, listingId)) ?? {};
    if (ratedOn === shown.day) return true;
    const isNewest =
      ratedOn !== undefined && ratedOn < shown.day && ratedOn > addDays(shown.day, -daysTrusted);
    return !areOtherRatings(isNewest ? ratings : undefined, shown);
  }

  /** Of a listing with a name in the country. */
  setRatings(
    country: string,
    listingId: number,
    { rating, ratingCount, day }: Ratings & { day: UtcDay },
  ): void {
    const key = keyOf(country, listingId);
    const known = this.names.get(key) ?? { hash: null, writtenOn: null };
    const ratings = {
      rating: ratingCount === 0 ? rating : (rating ?? known.ratings?.rating ?? null),
      ratingCount: ratingCount ?? known.ratings?.ratingCount ?? null,
    };
    this.names.set(key, { ...known, ratings, ratedOn: day });
  }

  /** True when the listing was queued on the day for a lookup of its name in the country. */
  isNameAwaited(country: string, listingId: number, day: UtcDay): boolean {
    return this.awaited.get(keyOf(country, listingId)) === day;
  }

  setNameAwaited(country: string, listingId: number, day: UtcDay): void {
    this.awaited.set(keyOf(country, listingId), day);
  }

  get(store: StoreName, storeAppId: string): CachedListing | undefined {
    return this.byStore.get(store)?.get(storeAppId);
  }

  set(store: StoreName, storeAppId: string, entry: CachedListing): void {
    this.ofStore(store).set(storeAppId, entry);
  }

  get size(): number {
    return this.byStore.values().reduce((sum, { size }) => sum + size, 0);
  }

  private ofStore(store: StoreName): LRUCache<string, CachedListing> {
    const known = this.byStore.get(store) ?? this.create();
    this.byStore.set(store, known);
    return known;
  }

  /** With `max` the library would reserve the memory of a full cache at once. */
  private create<Key extends string | number, Value extends object | string>(): LRUCache<
    Key,
    Value
  > {
    return new LRUCache({ maxSize: this.maxEntries, sizeCalculation: () => 1 });
  }
}

/** A number, because each of two hundred results is looked up: no text is written for it. */
function keyOf(country: string, listingId: number): number {
  return (listingId * 128 + country.charCodeAt(0)) * 128 + country.charCodeAt(1);
}
