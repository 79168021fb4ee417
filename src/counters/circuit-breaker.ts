const maxTimeoutMs = 1_000;
const latenessWeight = 10;
const failuresMax = 3;
const restMs = 5_000;
const logEveryMs = 10_000;

export interface CircuitBreakerOptions {
  /** The time without any response after which the shared counters count as unavailable. */
  waitMs: number;
  warn(fields: object, message: string): void;
}

/**
 * A circuit breaker for a server that may be down, slow or full. It opens for five seconds after
 * three consecutive failures; then one request probes the server.
 */
export class Guard {
  private readonly options: CircuitBreakerOptions;
  private failures = 0;
  private unavailableUntilMs = 0;
  private respondedMs = Number.NEGATIVE_INFINITY;
  private loggedMs = Number.NEGATIVE_INFINITY;

  constructor(options: CircuitBreakerOptions) {
    this.options = options;
  }

  /**
   * Resolves to null when there was no response in time, or when the circuit is open. `undo`
   * receives a response that came too late.
   */
  async ask<T>(
    question: () => Promise<T>,
    undo?: (late: T) => Promise<void> | undefined,
  ): Promise<T | null> {
    const startedMs = performance.now();
    if (startedMs < this.unavailableUntilMs) return null;
    if (this.failures >= failuresMax) this.unavailableUntilMs = startedMs + restMs;
    const asked = question();
    const silence = this.timeoutOnSilence(startedMs);
    asked
      .then((response) => (silence.isOver() ? undo?.(response) : undefined))
      .catch(() => undefined);
    try {
      const response = await Promise.race([asked, silence.promise]);
      this.respondedMs = performance.now();
      this.failures = 0;
      this.unavailableUntilMs = 0;
      return response;
    } catch (error) {
      this.fail(error as Error);
      return null;
    } finally {
      silence.stop();
    }
  }

  /**
   * Rejects when nothing was received for the timeout. A server that responds to other requests is
   * busy, not down. The timeout is extended when this process itself was late.
   */
  private timeoutOnSilence(startedMs: number): {
    promise: Promise<never>;
    isOver(): boolean;
    stop(): void;
  } {
    const { waitMs } = this.options;
    let timer: NodeJS.Timeout;
    let isOver = false;
    let isStopped = false;
    let lateMs = 0;
    let dueMs = 0;
    const promise = new Promise<never>((_resolve, reject) => {
      const look = () => {
        if (isStopped) return;
        const silentMs = performance.now() - Math.max(startedMs, this.respondedMs);
        lateMs = Math.max(lateMs, performance.now() - dueMs);
        const deadlineMs = this.hasResponded()
          ? Math.max(waitMs, Math.min(maxTimeoutMs, waitMs + lateMs * latenessWeight))
          : Math.max(waitMs, maxTimeoutMs);
        if (silentMs < deadlineMs) return wait(deadlineMs - silentMs);
        isOver = true;
        reject(new Error(`no response within ${waitMs} ms`));
      };
      // A response that arrived while this process was busy is read before the timeout is decided.
      const wait = (ms: number) => {
        dueMs = performance.now() + ms;
        timer = setTimeout(() => setImmediate(() => setImmediate(look)), ms);
      };
      wait(waitMs);
    });
    const stop = () => {
      isStopped = true;
      clearTimeout(timer);
    };
    promise.catch(() => undefined);
    return { promise, isOver: () => isOver, stop };
  }

  /** The first request includes the connection setup. */
  private hasResponded(): boolean {
    return this.respondedMs > Number.NEGATIVE_INFINITY;
  }

  private fail(error: Error): void {
    this.failures += 1;
    const nowMs = performance.now();
    if (this.failures >= failuresMax) this.unavailableUntilMs = nowMs + restMs;
    if (nowMs - this.loggedMs < logEveryMs) return;
    this.loggedMs = nowMs;
    this.options.warn(
      { error: error.message },
      'shared counters are unavailable: each process counts alone',
    );
  }
}
