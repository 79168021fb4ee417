/**
 * Which way the code goes where that is known only when it runs. The first reading takes the first
 * way everywhere; each further one takes another way at one choice, until every way was taken.
 */
export class Branches {
  private readonly forced: ReadonlyMap<string, number>;
  private readonly seen = new Map<string, number>();

  private constructor(forced: ReadonlyMap<string, number>) {
    this.forced = forced;
  }

  /** The way to take, of `count`, at a choice. */
  choose(choice: string, count: number): number {
    if (count < 2) return 0;
    this.seen.set(choice, count);
    return this.forced.get(choice) ?? 0;
  }

  /** Calls `read` once for each set of ways. Throws beyond 200 sets, which must be a mistake. */
  static readAll<Result>(read: (branches: Branches) => Result): Result[] {
    const waiting: ReadonlyMap<string, number>[] = [new Map()];
    const known = new Set<string>();
    const results: Result[] = [];
    for (let forced = waiting.shift(); forced; forced = waiting.shift()) {
      if (results.length === 200) throw new Error('more than 200 ways through one statement');
      const branches = new Branches(forced);
      results.push(read(branches));
      for (const [choice, count] of branches.seen)
        for (let way = 1; way < count; way += 1) {
          if (known.has(`${choice} ${way}`)) continue;
          known.add(`${choice} ${way}`);
          waiting.push(new Map(forced).set(choice, way));
        }
    }
    return results;
  }
}
