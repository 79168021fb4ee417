import { LRUCache } from 'lru-cache';

/** Evicts the least recently used values above a total weight, so that long runs stay small. */
export class BoundedCache<Value extends NonNullable<unknown>> {
  private readonly entries: LRUCache<string, Value>;

  /** Weights are whole numbers above 0. */
  constructor(maxWeight: number, weigh: (value: Value) => number = () => 1) {
    this.entries = new LRUCache({ maxSize: maxWeight, sizeCalculation: weigh });
  }

  /** The cached value, or the one that `make` returns. */
  take(key: string, make: () => Value): Value {
    const found = this.entries.get(key);
    if (found !== undefined) return found;
    const made = make();
    this.entries.set(key, made);
    return made;
  }
}
