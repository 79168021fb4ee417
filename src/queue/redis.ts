import { Redis } from 'ioredis';
import { systemClock } from '#lib/clock.ts';
import type { Logger } from '#lib/logger.ts';
import { cacheForOneSecond, keyPrefix, type QueueConnection } from './connection.ts';
import { withinDeadline } from './deadline.ts';
import { QueueConfigError, QueueUnavailableError, toQueueError } from './errors.ts';
import type { OnQueueError } from './throttle-errors.ts';

export const defaultCapBytes = 192 * 1024 * 1024;
const retryAfterMs = 2_000;
const writeKey = `${keyPrefix}:write-test`;
const retryStrategy = (times: number) => Math.min(times * 100, 2_000);
/** Its memory or its disk is full, or it is a replica. Other errors say nothing about writes. */
const refusesWrites = (error: Error) => /^(OOM|MISCONF|READONLY) /.test(error.message);
/** After a failover the old primary keeps its connections, and refuses their writes. */
const isReadOnly = (error: Error) => error.message.includes('READONLY');
/**
 * A host that is gone closes no connection. Longer than any command takes: BullMQ's workers block
 * for up to ten seconds. Shorter than the lock of a job, which has to be renewed on the next one.
 */
const socketTimeoutMs = 15_000;

/**
 * A producer fails fast. By default ioredis would hold an add while Redis is away and run it later.
 */
const producerOptions = {
  maxRetriesPerRequest: 1,
  enableOfflineQueue: false,
  commandTimeout: 2_000,
  socketTimeout: socketTimeoutMs,
  retryStrategy,
  reconnectOnError: isReadOnly,
};

/** A worker waits without a limit, and 2 sends a refused command again. */
const consumerOptions = {
  maxRetriesPerRequest: null,
  socketTimeout: socketTimeoutMs,
  retryStrategy,
  reconnectOnError: (error: Error) => isReadOnly(error) && (2 as const),
};

export function connectRedis(options: {
  queueUrl: string;
  log: Pick<Logger, 'warn'>;
  onError: OnQueueError;
}): QueueConnection {
  const connect = (settings: typeof producerOptions | typeof consumerOptions) =>
    new Redis(options.queueUrl, settings).on('error', (error: Error) =>
      options.onError(error, 'redis'),
    );
  const closing = new AbortController();
  const producer = connect(producerOptions);
  const consumer = connect(consumerOptions);
  const queueCapacity = {
    capBytes: defaultCapBytes,
    usedBytes: cacheForOneSecond(async () => readUsedBytes()),
  };
  const readUsedBytes = async () => {
    const memory = await readInfo(producer, 'memory');
    queueCapacity.capBytes = Number(memory.maxmemory) || defaultCapBytes;
    return Number(memory.used_memory);
  };
  const canWrite = cacheForOneSecond(() =>
    withinDeadline(producer.set(writeKey, '1', 'EX', 60)).then(
      () => true,
      (error: Error) => {
        if (refusesWrites(error)) return false;
        throw error;
      },
    ),
  );
  return {
    backend: 'redis',
    factory: undefined,
    producer,
    consumer,
    idlePollSeconds: 5,
    queueCapacity,
    isWritable: canWrite,
    prepare: async () => {
      await waitForSettings(consumer, options.log, closing.signal);
      await queueCapacity.usedBytes();
    },
    close: async () => {
      closing.abort(new Error('the queue store is closing'));
      producer.disconnect();
      consumer.disconnect();
    },
  };
}

/** Uses INFO instead of CONFIG, which managed services forbid. */
export async function readInfo(redis: Redis, section: string): Promise<Record<string, string>> {
  const text = await withinDeadline(redis.info(section));
  const lines = text.split('\r\n').filter((line) => line.includes(':'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );
}

/**
 * Waits until Redis responds: it may start later than we do. Throws QueueConfigError for settings
 * that could lose jobs, and the signal's reason.
 */
async function waitForSettings(
  redis: Redis,
  log: Pick<Logger, 'warn'>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      return await checkSettings(redis, log);
    } catch (error) {
      if (!(error instanceof QueueUnavailableError)) throw error;
      log.warn(
        { error: error.message, retryAfterMs },
        'the Redis at QUEUE_URL does not respond, will retry',
      );
      await systemClock.sleep(retryAfterMs, signal);
    }
  }
}

async function checkSettings(redis: Redis, log: Pick<Logger, 'warn'>): Promise<void> {
  const [memory, persistence] = await Promise.all([
    readInfo(redis, 'memory'),
    readInfo(redis, 'persistence'),
  ]).catch((error) => {
    throw toQueueError(error);
  });
  const policy = memory.maxmemory_policy;
  if (policy !== 'noeviction') {
    throw new QueueConfigError(
      `The Redis at QUEUE_URL has maxmemory-policy ${policy}: it would drop jobs. Set it to ` +
        'noeviction.',
    );
  }
  if (persistence.aof_enabled === '0') {
    log.warn(
      { appendonly: 'no' },
      'the Redis at QUEUE_URL has no append-only file: after a crash the queue is filled ' +
        'again from PostgreSQL',
    );
  }
}
