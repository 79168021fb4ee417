interface Shelf<Value> {
  values: Map<number, Value>;
  weight: number;
}

/** Caches values by group and number. Whole groups are evicted, oldest first. */
export class PartitionedCache<Value> {
  private readonly shelves = new Map<string, Shelf<Value>>();
  private weight = 0;
  private readonly maxWeight: number;
  private readonly weigh: (value: Value) => number;

  constructor(maxWeight: number, weigh: (value: Value) => number) {
    this.maxWeight = maxWeight;
    this.weigh = weigh;
  }

  /** The cached value, or the one that `make` returns. */
  take(name: string, number: number, make: () => Value): Value {
    let shelf = this.shelves.get(name);
    if (shelf === undefined) this.shelves.set(name, (shelf = { values: new Map(), weight: 0 }));
    const found = shelf.values.get(number);
    if (found !== undefined) return found;
    const made = make();
    const weight = this.weigh(made);
    shelf.values.set(number, made);
    shelf.weight += weight;
    this.weight += weight;
    for (const [oldest, { weight: freed }] of this.shelves) {
      if (this.weight <= this.maxWeight || oldest === name) break;
      this.shelves.delete(oldest);
      this.weight -= freed;
    }
    return made;
  }
}
