import type { BackendFactory } from 'bullmq';
import type { QueueCapacity } from '#domain/base/ports.ts';

/** The differences between the two stores; everything else is shared code. */
export interface QueueConnection {
  readonly backend: 'postgres' | 'redis';
  readonly factory: BackendFactory<never, never> | undefined;
  /**
   * Connections of BullMQ's queues (`producer`, which fails fast) and workers (`consumer`, which
   * waits).
   */
  readonly producer: unknown;
  readonly consumer: unknown;
  /** The poll interval of an idle worker that gets no notification. */
  readonly idlePollSeconds: number;
  readonly queueCapacity: QueueCapacity;
  /** False while Redis refuses writes; null while it does not respond, and for the database. */
  isWritable(): Promise<boolean | null>;
  prepare(): Promise<void>;
  close(): Promise<void>;
}

/** The braces are a hash tag: all keys of a Redis Cluster are in one slot. */
export const keyPrefix = '{toprung}';

/** Caches a reading for a second, because it is needed before every accepted job. */
export function cacheForOneSecond<Reading>(
  read: () => Promise<Reading>,
): () => Promise<Reading | null> {
  let readAtMs = -Infinity;
  let reading: Promise<Reading | null> = Promise.resolve(null);
  return () => {
    if (performance.now() - readAtMs < 1_000) return reading;
    readAtMs = performance.now();
    reading = read().catch(() => null);
    return reading;
  };
}
