import type {
  AttemptCounters,
  AttemptKind,
  AttemptResult,
  FullWindow,
} from '#domain/base/ports/attempt-counters.ts';
import {
  releaseAttempt,
  listFullWindows,
  countAttempts,
  type AttemptCountRow,
  type AttemptCountInput,
  type Queryable,
} from '#db/queries/limits/rate-limits.ts';
import { Batch } from '#lib/batch.ts';
import { listedMax } from './windows.ts';

/** For any number of API processes on one database, without Redis. Uses the server's clock. */
export class PostgresAttempts implements AttemptCounters {
  readonly isShared = true;
  private readonly takes: Batch<AttemptCountInput, AttemptCountRow>;
  private readonly db: Queryable;
  private readonly at: () => Date | null;

  /** `now` is for tests. */
  constructor(db: Queryable, now: (() => Date) | null = null) {
    this.db = db;
    this.at = () => now?.() ?? null;
    this.takes = new Batch((asks) => countAttempts(db, asks, this.at()));
  }

  async take(kind: AttemptKind, key: string): Promise<AttemptResult> {
    const { allowed, used, endsMs, nowMs } = await this.takes.ask({
      kind: kind.name,
      key,
      most: kind.limit,
      lengthMs: kind.windowMs,
    });
    return { kind, key, allowed, used, endsMs, restMs: endsMs - nowMs };
  }

  release({ kind, key, endsMs }: AttemptResult): Promise<void> {
    return releaseAttempt(this.db, { kind: kind.name, key, endsAt: new Date(endsMs) });
  }

  listFull({ name, limit }: AttemptKind): Promise<FullWindow[]> {
    return listFullWindows(this.db, { kind: name, most: limit, rowsMax: listedMax, at: this.at() });
  }

  async close(): Promise<void> {
    // The pool belongs to the caller.
  }
}
