/** Time as the domain sees it. Durations are measured with performance.now() instead. */
export interface Clock {
  now(): Date;
  /** Resolves after `ms`, or rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason as Error);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
};

/** A clock that moves only when it is set. `sleep` moves it, so waiting takes no time. */
export class TestClock implements Clock {
  private instant: number;

  constructor(start: string | Date) {
    this.instant = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.instant);
  }

  set(instant: string | Date): void {
    this.instant = new Date(instant).getTime();
  }

  advance(ms: number): void {
    this.instant += ms;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
