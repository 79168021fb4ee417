import type {
  AttemptCounters,
  AttemptKind,
  AttemptTaken,
  FullWindow,
} from '../domain/accounts/attempt-counters.ts';
import {
  giveAttemptBack,
  listFullWindows,
  takeAttempts,
  type AttemptAnswer,
  type AttemptAsk,
  type Queryable,
} from '../db/queries/limits.ts';
import { Batch } from './batch.ts';
import { listedMax } from './windows.ts';

/** For any number of API processes on one database, without a Redis. Time is the server's own. */
export class PostgresAttempts implements AttemptCounters {
  readonly isShared = true;
  private readonly takes: Batch<AttemptAsk, AttemptAnswer>;
  private readonly db: Queryable;
  private readonly at: () => Date | null;

  /** `now` is for tests. */
  constructor(db: Queryable, now: (() => Date) | null = null) {
    this.db = db;
    this.at = () => now?.() ?? null;
    this.takes = new Batch((asks) => takeAttempts(db, asks, this.at()));
  }

  async take(kind: AttemptKind, key: string): Promise<AttemptTaken> {
    const { took, used, endsMs, nowMs } = await this.takes.ask({
      kind: kind.name,
      key,
      most: kind.limit,
      lengthMs: kind.windowMs,
    });
    return { kind, key, took, used, endsMs, restMs: endsMs - nowMs };
  }

  giveBack({ kind, key, endsMs }: AttemptTaken): Promise<void> {
    return giveAttemptBack(this.db, { kind: kind.name, key, endsAt: new Date(endsMs) });
  }

  listFull({ name, limit }: AttemptKind): Promise<FullWindow[]> {
    return listFullWindows(this.db, { kind: name, most: limit, rowsMax: listedMax, at: this.at() });
  }

  async close(): Promise<void> {
    // The pool is not ours.
  }
}
