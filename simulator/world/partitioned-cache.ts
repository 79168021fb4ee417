interface Partition<Value> {
  values: Map<number, Value>;
  weight: number;
}

/** Caches values by group and number. Whole groups are evicted, oldest first. */
export class PartitionedCache<Value> {
  private readonly partitions = new Map<string, Partition<Value>>();
  private weight = 0;
  private readonly maxWeight: number;
  private readonly weigh: (value: Value) => number;

  constructor(maxWeight: number, weigh: (value: Value) => number) {
    this.maxWeight = maxWeight;
    this.weigh = weigh;
  }

  /** The cached value, or the one that `make` returns. */
  take(name: string, number: number, make: () => Value): Value {
    let partition = this.partitions.get(name);
    if (partition === undefined)
      this.partitions.set(name, (partition = { values: new Map(), weight: 0 }));
    const found = partition.values.get(number);
    if (found !== undefined) return found;
    const made = make();
    const weight = this.weigh(made);
    partition.values.set(number, made);
    partition.weight += weight;
    this.weight += weight;
    for (const [oldest, { weight: freed }] of this.partitions) {
      if (this.weight <= this.maxWeight || oldest === name) break;
      this.partitions.delete(oldest);
      this.weight -= freed;
    }
    return made;
  }
}
