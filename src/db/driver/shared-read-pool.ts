import type pg from 'pg';
import { openPipelinedConnection, type PipelinedConnection } from './pipelined-connection.ts';
import { bindWorkspaceSql, emptyResult } from './send-statement.ts';

/** A page that sends several requests at once gets one connection for each of them. */
const unsharedConnections = 4;
/**
 * Beyond `unsharedConnections`, this many readers of one tick of the event loop share a connection.
 */
const maxReadersPerTick = 4;

/**
 * A pool for reading the rows of one workspace. No statement needs the transaction of another, so
 * there are no transactions. Its connections refuse to write, and refuse to read before a workspace
 * is bound. Busy connections are shared because each socket write wakes the server, which costs
 * more than a short query.
 */
export function sharedReadPool(pool: pg.Pool): pg.Pool {
  const connections = new ConnectionsInUse(pool);
  const connect = async () => {
    const connection = connections.acquire();
    try {
      await connection.isOpen;
    } catch (error) {
      connections.release(connection);
      throw error;
    }
    let workspaceId: string | null = null;
    const query = async (text: string, values: readonly unknown[] = []) => {
      if (text === bindWorkspaceSql) workspaceId = String(values[0]);
      else if (text !== 'begin' && text !== 'commit' && text !== 'rollback') {
        if (workspaceId === null) throw new Error('no workspace is bound to this connection');
        return connection.query(workspaceId, text, values);
      }
      return emptyResult;
    };
    return { query, release: () => connections.release(connection) };
  };
  return { connect, end: () => pool.end() } as unknown as pg.Pool;
}

class ConnectionsInUse {
  private readonly pool: pg.Pool;
  private readonly readers = new Map<PipelinedConnection, number>();
  private currentTick: { connection: PipelinedConnection; readers: number } | null = null;

  constructor(pool: pg.Pool) {
    this.pool = pool;
  }

  acquire(): PipelinedConnection {
    const connection = this.shared() ?? this.another();
    this.readers.set(connection, (this.readers.get(connection) ?? 0) + 1);
    return connection;
  }

  release(connection: PipelinedConnection): void {
    const remaining = this.readers.get(connection)! - 1;
    if (remaining > 0) return void this.readers.set(connection, remaining);
    this.readers.delete(connection);
    if (this.currentTick?.connection === connection) this.currentTick = null;
    connection.release();
  }

  private shared(): PipelinedConnection | null {
    const { currentTick } = this;
    if (
      currentTick === null ||
      currentTick.readers >= maxReadersPerTick ||
      this.readers.size < unsharedConnections
    )
      return null;
    currentTick.readers += 1;
    return currentTick.connection;
  }

  private another(): PipelinedConnection {
    const connection =
      this.readers.size < this.pool.options.max
        ? openPipelinedConnection(this.pool)
        : leastBusy(this.readers);
    if (this.currentTick === null) setImmediate(() => (this.currentTick = null));
    this.currentTick = { connection, readers: 1 };
    return connection;
  }
}

function leastBusy(readers: ReadonlyMap<PipelinedConnection, number>): PipelinedConnection {
  return [...readers].reduce((least, next) => (next[1] < least[1] ? next : least))[0];
}
