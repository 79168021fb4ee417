import type pg from 'pg';
import type { QueueCapacity } from '#domain/base/ports.ts';
import type { Logger } from '#lib/logger.ts';
import { openBullQueue, type BullQueue } from './bull-queue.ts';
import { startBullWorker } from './bull-worker.ts';
import { connectPostgres } from './postgres.ts';
import { connectRedis } from './redis.ts';
import { openQuarantine } from './quarantine.ts';
import { throttleErrors } from './throttle-errors.ts';

/** A job carries only ids. The rows that they name are in PostgreSQL. */
export interface QueueJob {
  /** Not a plain number and without `:`. */
  id: string;
  name: string;
  data: Record<string, unknown>;
  /** 1 runs first; at most 2,097,152. */
  priority: number;
}

export interface Queue {
  /**
   * Skips jobs whose id is already in the queue. Throws QueueFullError or QueueUnavailableError
   * within 2.5 s a batch.
   */
  addAll(jobs: QueueJob[]): Promise<void>;
  counts(): Promise<{ waiting: number; active: number }>;
  close(): Promise<void>;
}

export interface RunningJob {
  id: string;
  name: string;
  data: Record<string, unknown>;
  /**
   * Aborted when the worker closes and the drain time is over. The job then returns to the queue.
   */
  signal: AbortSignal;
  /** Called when it has written something that stays: it is then no reason of crashes. */
  survived(): Promise<void>;
}

/**
 * A job that is not retried any more. `crashed`: its process died three times with it alone.
 * `failed`: its handler threw after the last retry; `error` is the last error.
 */
export interface DeadLetter extends Omit<RunningJob, 'signal' | 'survived'> {
  reason: 'crashed' | 'failed';
  error: string | null;
}

export type JobHandler = (job: RunningJob) => Promise<void>;

export interface WorkOptions {
  concurrency: number;
  /**
   * The pauses after failures of a handler, during which the job keeps its slot. After the last
   * pause, one more failure makes the job a dead letter.
   */
  retryDelaysMs: readonly number[];
  /**
   * Called with each dead letter. The job leaves the queue when this resolves, and is retried when
   * it rejects.
   */
  onDeadLetter(job: DeadLetter): Promise<void>;
}

export interface Worker {
  /**
   * Starts no new job, lets running jobs finish for `timeoutMs`, and returns the rest to the queue.
   */
  close(timeoutMs: number): Promise<void>;
}

export interface QueueStore {
  readonly backend: 'postgres' | 'redis';
  /** Prepares the store. Throws QueueConfigError (exit 78) if its settings could lose jobs. */
  migrate(): Promise<void>;
  queue(name: string): Queue;
  /** Starts as soon as the store responds, and again after each outage. */
  work(name: string, options: WorkOptions, handler: JobHandler): Worker;
  /** The memory or disk space of the queues that this store has opened. */
  readonly queueCapacity: QueueCapacity;
  /**
   * False while Redis refuses writes, for example on a full disk; null while it does not respond,
   * and where the store is PostgreSQL.
   */
  isWritable(): Promise<boolean | null>;
  /** The library's own queue objects, for the board. */
  bullQueues(): unknown[];
  /** Closes queues and connections. The owner of the workers closes them before. */
  close(): Promise<void>;
}

export interface QueueStoreOptions {
  /** `redis://…`; null for PostgreSQL. */
  queueUrl: string | null;
  /** Has search_path `bullmq` and a role that may create that schema. Its owner ends it. */
  pool: pg.Pool;
  log: Pick<Logger, 'warn' | 'error'>;
  /**
   * No other process uses the queue in PostgreSQL: jobs that seem to be running at the start are
   * those of a process that has ended, and are run again at once.
   */
  isAlone?: boolean;
  /** How often the worker looks for jobs whose worker is gone. */
  stalledIntervalMs?: number;
  /** How long a worker holds a job without renewing its lock. */
  lockDurationMs?: number;
  /** How long a job that was running when processes died is first tried alone. */
  trialMs?: number;
}

export function openQueueStore(options: QueueStoreOptions): QueueStore {
  const { queueUrl, pool, log } = options;
  const onError = throttleErrors(log);
  const quarantine = openQuarantine(options.trialMs ?? 5_000);
  const queues = new Map<string, BullQueue>();
  const openQueues = () => [...queues.values()];
  const connection =
    queueUrl === null
      ? connectPostgres({ pool, onError, openQueues, isAlone: options.isAlone === true })
      : connectRedis({ queueUrl, log, onError });
  const open = (name: string) => {
    const queue = queues.get(name) ?? openBullQueue(name, connection, onError);
    queues.set(name, queue);
    return queue;
  };
  const timing = {
    stalledIntervalMs: options.stalledIntervalMs ?? 30_000,
    lockDurationMs: options.lockDurationMs ?? 60_000,
  };
  return {
    backend: connection.backend,
    migrate: () => connection.prepare(),
    queue: open,
    work: (name, workOptions, handler) =>
      startBullWorker({ name, connection, timing, onError, quarantine, ...workOptions, handler }),
    queueCapacity: connection.queueCapacity,
    isWritable: connection.isWritable,
    bullQueues: () => openQueues().map((queue) => queue.bull()),
    close: async () => {
      await Promise.all(openQueues().map((queue) => queue.close()));
      await connection.close();
    },
  };
}
