/** A Map that forgets its oldest entries, so that a long run keeps its memory. */
export class BoundedCache<Value> {
  private readonly entries = new Map<string, Value>();
  /** The keys as they came, from `first` on: a Map that loses its first entries is slow to say which is the first now. */
  private order: string[] = [];
  private first = 0;
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
    this.order.push(key);
    this.weight += this.weigh(made);
    while (this.weight > this.maxWeight && this.first < this.order.length - 1)
      this.forget(this.order[this.first++]!);
    if (this.first > 1_000 && this.first * 2 > this.order.length) {
      this.order = this.order.slice(this.first);
      this.first = 0;
    }
    return made;
  }

  private forget(key: string): void {
    this.weight -= this.weigh(this.entries.get(key)!);
    this.entries.delete(key);
  }
}
