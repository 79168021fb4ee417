const patienceMaxMs = 1_000;
const latenessWeight = 10;
const failuresMax = 3;
const restMs = 5_000;
const logEveryMs = 10_000;

export interface GuardOptions {
  /** For how long nothing may be answered before the shared counters count as away. */
  waitMs: number;
  warn(fields: object, message: string): void;
}

/**
 * Stands before a server that may be away, slow or full, so that nobody waits for it longer than a blink. After three failures in
 * a row it is left alone for five seconds; then one question tries.
 */
export class Guard {
  private readonly options: GuardOptions;
  private failures = 0;
  private restsUntilMs = 0;
  private answeredMs = Number.NEGATIVE_INFINITY;
  private loggedMs = Number.NEGATIVE_INFINITY;

  constructor(options: GuardOptions) {
    this.options = options;
  }

  /** Null when there was no answer in time, or none was asked for. `undo` gets an answer that came too late. */
  async ask<T>(
    question: () => Promise<T>,
    undo?: (late: T) => Promise<void> | undefined,
  ): Promise<T | null> {
    const startedMs = performance.now();
    if (startedMs < this.restsUntilMs) return null;
    if (this.failures >= failuresMax) this.restsUntilMs = startedMs + restMs;
    const asked = question();
    const silence = this.untilSilent(startedMs);
    asked.then((answer) => (silence.isOver() ? undo?.(answer) : undefined)).catch(() => undefined);
    try {
      const answer = await Promise.race([asked, silence.promise]);
      this.answeredMs = performance.now();
      this.failures = 0;
      this.restsUntilMs = 0;
      return answer;
    } catch (error) {
      this.fail(error as Error);
      return null;
    } finally {
      silence.stop();
    }
  }

  /**
   * Rejects once nothing has been answered for so long: who answers others is busy, not away. On a machine so busy that we are
   * late ourselves, others are granted as much, and more.
   */
  private untilSilent(startedMs: number): {
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
        const silentMs = performance.now() - Math.max(startedMs, this.answeredMs);
        lateMs = Math.max(lateMs, performance.now() - dueMs);
        const patienceMs = this.hasAnswered()
          ? Math.max(waitMs, Math.min(patienceMaxMs, waitMs + lateMs * latenessWeight))
          : Math.max(waitMs, patienceMaxMs);
        if (silentMs < patienceMs) return wait(patienceMs - silentMs);
        isOver = true;
        reject(new Error(`no answer within ${waitMs} ms`));
      };
      // An answer that came while we were busy ourselves is read before anybody gives up on it.
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

  /** The first answer takes a connection to be made. */
  private hasAnswered(): boolean {
    return this.answeredMs > Number.NEGATIVE_INFINITY;
  }

  private fail(error: Error): void {
    this.failures += 1;
    const nowMs = performance.now();
    if (this.failures >= failuresMax) this.restsUntilMs = nowMs + restMs;
    if (nowMs - this.loggedMs < logEveryMs) return;
    this.loggedMs = nowMs;
    this.options.warn(
      { error: error.message },
      'the shared counters are away: each process counts by itself',
    );
  }
}
