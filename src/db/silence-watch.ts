import type pg from 'pg';

/** So long a server may say nothing while it is asked something. */
export const silenceLimitMs = (statementTimeoutMs: number): number => statementTimeoutMs + 1_000;

/**
 * Breaks off a connection whose server has answered nothing for so long; whoever waits there is told. It counts anew with
 * each answer: statements that wait for their turn are none the server is silent about.
 */
export class SilenceWatch {
  private unanswered = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(client: pg.PoolClient, limitMs: number) {
    const breakOff = () => void (this.unanswered > 0 && client.connection.stream.destroy());
    this.timer = setTimeout(breakOff, limitMs).unref();
  }

  asked(): void {
    if (this.unanswered === 0) this.timer.refresh();
    this.unanswered += 1;
  }

  answered(): void {
    this.unanswered -= 1;
    this.timer.refresh();
  }
}
