import type pg from 'pg';
import type { QueueHeadroom } from '../domain/ports.ts';
import type { Logger } from '../lib/logger.ts';
import { openBullQueue, type BullQueue } from './bull-queue.ts';
import { startBullWorker } from './bull-worker.ts';
import { connectPostgres } from './postgres.ts';
import { connectRedis } from './redis.ts';
import { openQuarantine } from './quarantine.ts';
import { quietErrors } from './quiet-errors.ts';

export { QueueConfigError, QueueFullError, QueueUnavailableError } from './errors.ts';

/** A job carries ids only; what it is about is a row in PostgreSQL. */
export interface QueueJob {
  /** Not a plain number and without `:`. */
  id: string;
  name: string;
  data: Record<string, unknown>;
  /** 1 goes first; up to 2,097,152. */
  priority: number;
}

export interface Queue {
  /** An id that is still there is left alone. Throws QueueFullError or QueueUnavailableError, within 2.5 s a batch. */
  addAll(jobs: QueueJob[]): Promise<void>;
  counts(): Promise<{ waiting: number; active: number }>;
  close(): Promise<void>;
}

export interface RunningJob {
  id: string;
  name: string;
  data: Record<string, unknown>;
  /** Aborted when the worker closes and its time is up; the job then goes back to the queue. */
  signal: AbortSignal;
}

/** `crashed`: its worker died or hung with it five times. `failed`: its handler threw five times; `error` is the last. */
export interface PoisonedJob extends Omit<RunningJob, 'signal'> {
  reason: 'crashed' | 'failed';
  error: string | null;
}

export type JobHandler = (job: RunningJob) => Promise<void>;

export interface WorkOptions {
  concurrency: number;
  /** Told once a job is given up; when it returns the job is gone from the queue. If it throws, it is asked again. */
  onPoison(job: PoisonedJob): Promise<void>;
}

export interface Worker {
  /** Takes nothing new, lets what runs finish for `timeoutMs`, then hands the rest back to the queue. */
  close(timeoutMs: number): Promise<void>;
}

export interface QueueStore {
  readonly backend: 'postgres' | 'redis';
  /** Makes the store ready, or throws QueueConfigError (exit 78) when it is set up so that jobs could be lost. */
  migrate(): Promise<void>;
  queue(name: string): Queue;
  /** Starts as soon as the store answers, and again whenever it comes back. */
  work(name: string, options: WorkOptions, handler: JobHandler): Worker;
  /** Counts the queues that this store has opened. */
  readonly headroom: QueueHeadroom;
  /** The library's own queue objects, for the board. */
  bullQueues(): unknown[];
  /** Closes queues and connections; workers are closed by their owner before. The pool stays open. */
  close(): Promise<void>;
}

export interface QueueStoreOptions {
  /** `redis://…`; null for PostgreSQL. */
  queueUrl: string | null;
  /** With search_path `bullmq` and a role that may create that schema. Not ended by us. */
  pool: pg.Pool;
  log: Pick<Logger, 'warn' | 'error'>;
  /** How often jobs whose worker is gone are looked for. */
  stalledIntervalMs?: number;
  /** How long a job is held without a sign of life. */
  lockDurationMs?: number;
  /** Pause after a handler's first throw; four times longer after each further one, up to a minute. */
  retryPauseMs?: number;
}

export function openQueueStore(options: QueueStoreOptions): QueueStore {
  const { queueUrl, pool, log } = options;
  const onError = quietErrors(log);
  const quarantine = openQuarantine();
  const queues = new Map<string, BullQueue>();
  const openQueues = () => [...queues.values()];
  const connection =
    queueUrl === null
      ? connectPostgres({ pool, onError, openQueues })
      : connectRedis({ queueUrl, log, onError });
  const open = (name: string) => {
    const queue = queues.get(name) ?? openBullQueue(name, connection, onError);
    queues.set(name, queue);
    return queue;
  };
  const timing = {
    stalledIntervalMs: options.stalledIntervalMs ?? 30_000,
    lockDurationMs: options.lockDurationMs ?? 60_000,
    retryPauseMs: options.retryPauseMs ?? 1_000,
  };
  return {
    backend: connection.backend,
    migrate: () => connection.prepare(),
    queue: open,
    work: (name, workOptions, handler) =>
      startBullWorker({ name, connection, timing, onError, quarantine, ...workOptions, handler }),
    headroom: connection.headroom,
    bullQueues: () => openQueues().map((queue) => queue.bull()),
    close: async () => {
      await Promise.all(openQueues().map((queue) => queue.close()));
      await connection.close();
    },
  };
}
