import type pg from 'pg';

const statementTimeouts = new WeakMap<pg.Pool, number>();

/** Connections of the pool have this `statement_timeout`. */
export function rememberStatementTimeout(pool: pg.Pool, statementTimeoutMs: number): void {
  statementTimeouts.set(pool, statementTimeoutMs);
}

/** A server may be silent for this long while a statement runs. */
export const watchdogTimeoutMs = (statementTimeoutMs: number): number => statementTimeoutMs + 1_000;

/**
 * Breaks a connection whose server has not responded for too long, and rejects the statements that
 * wait on it. Each response restarts the clock, because a statement that waits behind another one
 * does not mean that the server is silent.
 */
export class ConnectionWatchdog {
  private unanswered = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(client: pg.PoolClient, pool: pg.Pool) {
    const timeoutMs = watchdogTimeoutMs(statementTimeouts.get(pool)!);
    const breakConnection = () => void (this.unanswered > 0 && client.connection.stream.destroy());
    this.timer = setTimeout(breakConnection, timeoutMs).unref();
  }

  sent(): void {
    if (this.unanswered === 0) this.timer.refresh();
    this.unanswered += 1;
  }

  responded(): void {
    this.unanswered -= 1;
    this.timer.refresh();
  }
}
