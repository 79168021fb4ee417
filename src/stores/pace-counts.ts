import { addRequestCounts, type Queryable, type RequestCount } from '#db/queries/pacing/pacing.ts';
import { utcDayOf } from '#lib/dates.ts';
import type { Clock, StoreName } from '#domain/base/ports.ts';

export interface CountedRequests {
  requests: number;
  bytes: number;
  refused: number;
}

export interface RequestCounts {
  add(store: StoreName, kind: string, counted: CountedRequests): void;
  /** Writes the waiting counts; counts that cannot be written stay for the next time. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const flushAfterMs = 500;

/**
 * Adds up counts in memory for half a second, so that a thousand requests cost two small writes.
 */
export function createRequestCounts(options: {
  db: Queryable;
  clock: Clock;
  onError: (error: unknown) => void;
}): RequestCounts {
  let waiting = new Map<string, RequestCount>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  const merge = (count: RequestCount) => {
    const key = `${count.store} ${count.onDate} ${count.kind}`;
    const sum = waiting.get(key);
    if (sum === undefined) waiting.set(key, { ...count });
    else {
      sum.requests += count.requests;
      sum.bytes += count.bytes;
      sum.refused += count.refused;
    }
  };

  const write = async () => {
    if (waiting.size === 0) return;
    const batch = [...waiting.values()];
    waiting = new Map();
    try {
      await addRequestCounts(options.db, batch);
    } catch (error) {
      batch.forEach(merge);
      options.onError(error);
    }
  };

  const flush = () => (writing = writing.then(write));

  const schedule = () => {
    timer ??= setTimeout(() => {
      timer = null;
      void flush().then(() => waiting.size > 0 && schedule());
    }, flushAfterMs).unref();
  };

  return {
    add(store, kind, counted) {
      merge({ store, kind, onDate: utcDayOf(options.clock.now()), ...counted });
      schedule();
    },
    flush,
    async close() {
      await flush();
      if (timer !== null) clearTimeout(timer);
    },
  };
}
