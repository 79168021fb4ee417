/** So many pieces of work run at once; others wait, in the order they came. */
export class Turns {
  private readonly most: number;
  private running = 0;
  private readonly queue: (() => void)[] = [];

  constructor(most: number) {
    this.most = most;
  }

  get waiting(): number {
    return this.queue.length;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.most) await new Promise<void>((resolve) => this.queue.push(resolve));
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.queue.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
