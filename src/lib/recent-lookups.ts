const rememberedMax = 10_000;

/** What was found a moment ago is not looked up again; what was not found is. */
export class RecentLookups {
  private readonly found = new Map<string, { atMs: number; answer: Promise<unknown> }>();
  private readonly keptMs: number;
  private readonly inTime: <T>(work: Promise<T>) => Promise<T>;

  /** An answer is good for so long after its question was sent; `inTime` rejects when it takes too long. */
  constructor(keptMs: number, inTime: <T>(work: Promise<T>) => Promise<T>) {
    this.keptMs = keptMs;
    this.inTime = inTime;
  }

  find<T>(key: string, look: () => Promise<T | undefined>): Promise<T | undefined> {
    const known = this.found.get(key);
    const atMs = performance.now();
    if (known && atMs - known.atMs < this.keptMs) return known.answer as Promise<T | undefined>;
    if (this.found.size >= rememberedMax) this.found.clear();
    const answer = this.inTime(look());
    this.found.set(key, { atMs, answer });
    const drop = () => this.found.get(key)?.answer === answer && this.found.delete(key);
    answer.then((value) => value === undefined && drop(), drop);
    return answer;
  }

  /** Something was written: the next one looks again. */
  forget(): void {
    this.found.clear();
  }
}
