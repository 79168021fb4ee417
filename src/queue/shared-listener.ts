import { EventEmitter } from 'node:events';
import type { PgPoolClient } from 'bullmq';
import type pg from 'pg';

/** What BullMQ uses of a client that waits for notifications. */
type Listener = Pick<PgPoolClient, 'query' | 'release'> & EventEmitter;

interface SharedClient {
  client: pg.Client;
  /** Runs one statement after the other, as the driver expects. */
  query: PgPoolClient['query'];
  listeners: Set<Listener>;
}

interface Shared {
  opened: Promise<SharedClient>;
  /** Those who have connected and not released, also while it is being opened. */
  users: number;
}

/**
 * The connection for notifications, which all workers of a process share: an idle one costs the
 * server 2.5 MB, and a large installation a slot for each worker. It is opened with the first
 * `connect` and closed with the last `release`. When it is lost, each listener receives the error,
 * and the next `connect` opens another.
 */
export function shareListener(open: () => Promise<pg.Client>): () => Promise<PgPoolClient> {
  let shared: Shared | null = null;
  const forget = (one: Shared) => {
    if (shared === one) shared = null;
  };
  const start = (): Shared => {
    const started: Shared = {
      opened: openShared(open, () => forget(started)),
      users: 0,
    };
    return started;
  };
  const leave = async (one: Shared): Promise<void> => {
    one.users -= 1;
    if (one.users > 0) return;
    forget(one);
    const { client } = await one.opened;
    await client.end();
  };
  return async () => {
    const used = (shared ??= start());
    // Before the wait, so that a release meanwhile leaves the connection open.
    used.users += 1;
    try {
      const { query, listeners } = await used.opened;
      const listener: Listener = Object.assign(new EventEmitter(), {
        query,
        release: () => {
          if (listeners.delete(listener)) void leave(used).catch(() => undefined);
        },
      });
      listeners.add(listener);
      return listener;
    } catch (error) {
      forget(used);
      throw error;
    }
  };
}

async function openShared(
  open: () => Promise<pg.Client>,
  onLost: () => void,
): Promise<SharedClient> {
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
