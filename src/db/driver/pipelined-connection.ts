import type pg from 'pg';
import { ConnectionWatchdog } from './connection-watchdog.ts';
import { bindWorkspaceSql, sendPrepared, sendStatement } from './send-statement.ts';
import { nameOfFrequent } from './statement-names.ts';

const bindSessionSql = bindWorkspaceSql.replace('true', 'false');

/** A connection that readers share: it sends a statement before the previous one has returned. */
export interface PipelinedConnection {
  isOpen: Promise<void>;
  /** Rejects and discards the rows if the connection could not be bound to the workspace. */
  query(workspaceId: string, text: string, values: readonly unknown[]): Promise<pg.QueryResult>;
  /** Returns the connection to its pool. */
  release(): void;
}

/**
 * The workspace to which a connection is bound once all sent statements are done. The binding stays
 * when the connection returns to its pool.
 */
const bindings = new WeakMap<pg.PoolClient, { workspaceId: string; done: Promise<unknown> }>();

export function openPipelinedConnection(pool: pg.Pool): PipelinedConnection {
  let client: pg.PoolClient | null = null;
  return {
    isOpen: pool.connect().then((connected) => void (client = connected)),
    query: async (workspaceId, text, values) => {
      const watchdog = watchdogOf(client!, pool);
      watchdog.sent();
      corkWrites(client!);
      try {
        const [, result] = await Promise.all([
          bind(client!, workspaceId),
          sendStatement(client!, text, values, nameOfFrequent(text)),
        ]);
        return result;
      } finally {
        watchdog.responded();
      }
    },
    release: () => client?.release(),
  };
}

function bind(client: pg.PoolClient, workspaceId: string): Promise<unknown> {
  const last = bindings.get(client);
  if (last?.workspaceId === workspaceId) return last.done;
  const done = sendPrepared(client, 'bind-workspace', bindSessionSql, [workspaceId]);
  bindings.set(client, { workspaceId, done });
  // The statement behind this one is rejected with the same error; the next one binds again.
  done.catch(() => bindings.get(client)?.done === done && bindings.delete(client));
  return done;
}

const watchdogs = new WeakMap<pg.PoolClient, ConnectionWatchdog>();

function watchdogOf(client: pg.PoolClient, pool: pg.Pool): ConnectionWatchdog {
  const watchdog = watchdogs.get(client) ?? new ConnectionWatchdog(client, pool);
  watchdogs.set(client, watchdog);
  return watchdog;
}

const corked = new WeakSet<pg.PoolClient>();

/** Statements of one tick of the event loop are sent in one write at its end. */
function corkWrites(client: pg.PoolClient): void {
  if (corked.has(client)) return;
  corked.add(client);
  const { stream } = client.connection;
  stream.cork();
  setImmediate(() => {
    corked.delete(client);
    stream.uncork();
  });
}
