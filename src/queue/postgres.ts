import { runMigrations, type PgPool } from 'bullmq';
import pg from 'pg';
import { createBatchedBackend } from './batched-backend.ts';
import type { BullQueue } from './bull-queue.ts';
import { cacheForOneSecond, type QueueConnection } from './connection.ts';
import { QueueConfigError } from './errors.ts';
import { returnRunningJobs } from './postgres-jobs.ts';
import { shareListener } from './shared-listener.ts';
import type { OnQueueError } from './throttle-errors.ts';

const schema = 'bullmq';
export const capBytes = 192 * 1024 * 1024;
/** Measured with BullMQ 6.7: 1,346 bytes a waiting job. */
export const bytesPerJob = 1_350;

export function connectPostgres(options: {
  pool: pg.Pool;
  onError: OnQueueError;
  openQueues: () => BullQueue[];
  isAlone: boolean;
}): QueueConnection {
  const pool = wrapPool(options.pool);
  options.pool.on('error', (error) => options.onError(error, 'pool'));
  const readUsedBytes = async () => {
    const counts = await Promise.all(options.openQueues().map((queue) => queue.countAll()));
    return counts.reduce((sum, count) => sum + count, 0) * bytesPerJob;
  };
  return {
    backend: 'postgres',
    factory: createBatchedBackend(pool) as never,
    producer: pool,
    consumer: pool,
    idlePollSeconds: 30,
    queueCapacity: { capBytes, usedBytes: cacheForOneSecond(readUsedBytes) },
    isWritable: () => Promise.resolve(null),
    prepare: async () => {
      await migrate(options.pool);
      if (options.isAlone) await returnRunningJobs(pool);
    },
    close: async () => {},
  };
}

async function migrate(pool: pg.Pool): Promise<void> {
  const client = await openClient(pool);
  try {
    await runMigrations(client, schema);
    const { rows } = await client.query<{ found: string | null }>(
      'select current_schema() as found',
    );
    if (rows[0]?.found !== schema)
      throw new QueueConfigError(`The queue's pool needs search_path=${schema}.`);
  } finally {
    await client.end();
  }
}

/**
 * Adapts the pool to BullMQ. A lost connection gets the error code for which BullMQ waits before
 * its next attempt. Integers are text, as BullMQ expects, whatever parsers the pool has.
 * The connection for notifications is opened outside the pool, so that a small pool loses none.
 */
function wrapPool(pool: pg.Pool): PgPool {
  const wrapped: PgPool & { options: { keepAlive: boolean } } = {
    query: async (text: string, values?: readonly unknown[]) => {
      const name = values === undefined ? undefined : nameOf(text);
      const query = { name, text, values: values as unknown[], types: pg.types };
      try {
        return (await pool.query(query)) as never;
      } catch (error) {
        throw nameConnectionError(error as Error & { code?: string });
      }
    },
    connect: shareListener(() => openClient(pool)),
    // Of the connection for notifications; otherwise BullMQ polls every ten seconds.
    options: { keepAlive: true },
    end: async () => {},
    on: () => wrapped,
    removeAllListeners: () => wrapped,
  };
  return wrapped;
}

const statementNames = new Map<string, string>();

/** Each connection prepares a statement once: there are few, and most are for every job. */
function nameOf(text: string): string {
  const name = statementNames.get(text) ?? `queue-${statementNames.size}`;
  statementNames.set(text, name);
  return name;
}

async function openClient(pool: pg.Pool): Promise<pg.Client> {
  const { password, ssl, onConnect } = pool.options;
  const client = new pg.Client({
    ...pool.options,
    password,
    ssl,
    types: pg.types,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    // The type of the driver does not say that it waits for this.
    await (onConnect?.(client) as Promise<void> | undefined);
  } catch (error) {
    void client.end().catch(() => undefined);
    throw nameConnectionError(error as Error & { code?: string });
  }
  return client;
}

const connectionErrorTexts = [
  'connection terminated',
  'timeout exceeded when trying to connect',
  'client has encountered a connection error',
  'not queryable',
];

/**
 * BullMQ pauses only for ECONNREFUSED. A restarting server and a missing socket need the same
 * pause.
 */
function nameConnectionError(error: Error & { code?: string }): Error {
  const { code = '' } = error;
  const message = error.message.toLowerCase();
  const isLost =
    /^(08|57P|53)/.test(code) ||
    /^E[A-Z]+$/.test(code) ||
    connectionErrorTexts.some((text) => message.includes(text));
  return isLost
    ? Object.assign(new Error(error.message, { cause: error }), { code: 'ECONNREFUSED' })
    : error;
}
