/** What is open, to be closed from the newest to the oldest; what is opened while that goes on is closed too. */
export class Closers {
  private readonly open: (() => Promise<unknown>)[] = [];

  add(close: () => Promise<unknown>): void {
    this.open.push(close);
  }

  async close(): Promise<void> {
    for (let close = this.open.pop(); close; close = this.open.pop()) await close();
  }
}
