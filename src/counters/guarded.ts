import type { RequestCounters, RequestLease, RequestTaken, RequestTaking, RequestWindow, WindowUse } from '../domain/billing/request-counters.ts';

const patienceMaxMs = 1_000;
const latenessWeight = 10;
const failuresMax = 3;
const restMs = 5_000;
const logEveryMs = 10_000;

export interface GuardedOptions {
  shared: RequestCounters;
  /** Of this process alone. */
  own: RequestCounters;
  /** For how long nothing may be answered before the shared counters count as away. */
  waitMs: number;
  /** How many processes share the limits: while the shared counters are away, each keeps to its part. */
  processes: number;
  warn(fields: object, message: string): void;
}

/**
 * Shared counters that may be away, slow or full: nobody is refused for that, and nobody waits for longer than a blink. After
 * three failures in a row they are left alone for five seconds; then one request tries.
 */
export class GuardedCounters implements RequestCounters {
  private readonly options: GuardedOptions;
  private readonly ownLeases = new WeakSet<RequestLease>();
  private failures = 0;
  private restsUntilMs = 0;
  private answeredMs = Number.NEGATIVE_INFINITY;
  private loggedMs = Number.NEGATIVE_INFINITY;

  constructor(options: GuardedOptions) {
    this.options = options;
  }

  async take(taking: RequestTaking): Promise<RequestTaken> {
    const { shared, own } = this.options;
    // One that answers too late has counted a request that goes by other counters now.
    const undo = (late: RequestTaken) => (late.lease ? shared.end(late.lease, taking.windows) : undefined);
    const taken = await this.ask(() => shared.take(taking), undo);
    if (taken) return taken;
    const parallel = this.part(taking.parallel);
    const ownTaken = await own.take({ ...taking, parallel, windows: taking.windows.map((window) => this.partOf(window)) });
    if (ownTaken.lease) this.ownLeases.add(ownTaken.lease);
    return ownTaken;
  }

  async look(looking: Omit<RequestTaking, 'parallel'>): Promise<WindowUse[]> {
    const { shared, own } = this.options;
    const uses = await this.ask(() => shared.look(looking));
    return uses ?? own.look({ ...looking, windows: looking.windows.map((window) => this.partOf(window)) });
  }

  async end(lease: RequestLease, unused: readonly RequestWindow[]): Promise<void> {
    const { shared, own } = this.options;
    if (this.ownLeases.has(lease)) await own.end(lease, unused);
    else await this.ask(() => shared.end(lease, unused));
  }

  async renew(leases: readonly RequestLease[]): Promise<void> {
    const { shared, own } = this.options;
    const isOwn = (lease: RequestLease) => this.ownLeases.has(lease);
    await own.renew(leases.filter(isOwn));
    const others = leases.filter((lease) => !isOwn(lease));
    if (others.length > 0) await this.ask(() => shared.renew(others));
  }

  async close(): Promise<void> {
    await Promise.all([this.options.shared.close(), this.options.own.close()]);
  }

  /** Null when there was no answer in time, or none was asked for. */
  private async ask<T>(question: () => Promise<T>, undo?: (late: T) => Promise<void> | undefined): Promise<T | null> {
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
  private untilSilent(startedMs: number): { promise: Promise<never>; isOver(): boolean; stop(): void } {
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
    this.options.warn({ error: error.message }, 'the shared counters of requests are away: each process counts its part by itself');
  }

  private part(limit: number): number {
    return Math.max(1, Math.floor(limit / this.options.processes));
  }

  private partOf(window: RequestWindow): RequestWindow {
    return { ...window, limit: this.part(window.limit) };
  }
}
