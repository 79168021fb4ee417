import { EventEmitter } from 'node:events';
import type { PgPoolClient } from 'bullmq';
import type pg from 'pg';

/** What BullMQ uses of a client that waits for notifications. */
type Listener = Pick<PgPoolClient, 'query' | 'release'> & EventEmitter;

/**
 * Connections for notifications, which all workers of a process share: an idle one costs the server
 * 2.5 MB, and a large installation a slot for each worker. It is opened with the first `connect`
 * and closed with the last `release`. When it is lost, each listener receives the error, and the
 * next `connect` opens another.
 */
export function shareListener(open: () => Promise<pg.Client>): () => Promise<PgPoolClient> {
  let shared: Promise<SharedConnection> | null = null;
  const forget = (connection: Promise<SharedConnection>) => {
    if (shared === connection) shared = null;
  };
  return async () => {
    const connection = (shared ??= connect(open, () => forget(connection)));
    try {
      const { client, query, listeners } = await connection;
      const listener: Listener = Object.assign(new EventEmitter(), {
        query,
        release: () => {
          if (!listeners.delete(listener) || listeners.size > 0) return;
          forget(connection);
          void client.end().catch(() => undefined);
        },
      });
      listeners.add(listener);
      return listener;
    } catch (error) {
      forget(connection);
      throw error;
    }
  };
}

interface SharedConnection {
  client: pg.Client;
  /** Runs one statement after the other, as the driver expects. */
  query: PgPoolClient['query'];
  listeners: Set<Listener>;
}

async function connect(
  open: () => Promise<pg.Client>,
  onLost: () => void,
): Promise<SharedConnection> {
  const client = await open();
  const listeners = new Set<Listener>();
  client.on('notification', (message) => {
    for (const listener of listeners) listener.emit('notification', message);
  });
  client.on('error', (error) => {
    onLost();
    // A closing worker has removed its own: without one, this would end the process.
    for (const listener of listeners)
      if (listener.listenerCount('error') > 0) listener.emit('error', error);
  });
  let last: Promise<unknown> = Promise.resolve();
  const query = (text: string, values?: readonly unknown[]) => {
    const result = last.then(() => client.query(text, values as unknown[]));
    last = result.catch(() => undefined);
    return result;
  };
  return { client, query, listeners };
}
