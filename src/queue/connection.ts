import type { BackendFactory } from 'bullmq';
import type { QueueHeadroom } from '../domain/ports.ts';

/** What differs between the two stores; everything else is the same code. */
export interface QueueConnection {
  readonly backend: 'postgres' | 'redis';
  readonly factory: BackendFactory<never, never> | undefined;
  /** Connections that a BullMQ queue (fails fast) and a BullMQ worker (waits for ever) are given. */
  readonly producer: unknown;
  readonly consumer: unknown;
  /** How long an idle worker waits for a bell before it looks by itself. */
  readonly idlePollSeconds: number;
  readonly headroom: QueueHeadroom;
  prepare(): Promise<void>;
  close(): Promise<void>;
}

/** All keys of a Redis Cluster in one slot, because the braces are a hash tag. */
export const keyPrefix = '{toprung}';

/** Keeps an answer for a second: asked before every add, it must not cost a round trip each time. */
export function rememberBriefly(read: () => Promise<number | null>): () => Promise<number | null> {
  let readAtMs = -Infinity;
  let answer: Promise<number | null> = Promise.resolve(null);
  return () => {
    if (performance.now() - readAtMs < 1_000) return answer;
    readAtMs = performance.now();
    answer = read().catch(() => null);
    return answer;
  };
}
