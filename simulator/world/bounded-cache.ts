/** A Map that forgets its oldest entries, so that a long run keeps its memory. */
export class BoundedCache<Value> {
  private readonly entries = new Map<string, Value>();
  private weight = 0;
  private readonly maxWeight: number;
  private readonly weigh: (value: Value) => number;

  constructor(maxWeight: number, weigh: (value: Value) => number = () => 1) {
    this.maxWeight = maxWeight;
    this.weigh = weigh;
  }

  /** The remembered value, or the one `make` gives. */
  take(key: string, make: () => Value): Value {
    const found = this.entries.get(key);
    if (found !== undefined) return found;
    const made = make();
    this.entries.set(key, made);
    this.weight += this.weigh(made);
    for (const [oldest, value] of this.entries) {
      if (this.weight <= this.maxWeight || oldest === key) break;
      this.entries.delete(oldest);
      this.weight -= this.weigh(value);
    }
    return made;
  }

  clear(): void {
    this.entries.clear();
    this.weight = 0;
  }
}
