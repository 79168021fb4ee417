import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely';
import type pg from 'pg';
import { lazyTransaction } from './driver/lazy-transaction.ts';
import { bindWorkspaceSql } from './driver/send-statement.ts';
import { sharedReadPool } from './driver/shared-read-pool.ts';
import type { Tables } from './tables.ts';

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** Statements that begin with a comment like `/* name *\/` are prepared once per connection. */
export function openDatabase(pool: pg.Pool): Db {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: lazyTransaction(pool) }) });
}

const readDatabases = new WeakSet<Db>();

/**
 * A database for reads. It has no transactions: each statement sees what is committed when it runs.
 * `readers` decides how readers use the connections of the pool.
 */
export function openReadDatabase(pool: pg.Pool, readers = sharedReadPool(pool)): Db {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: readers }) });
  readDatabases.add(db);
  return db;
}

const afterCommits = new WeakMap<Tx, (() => void)[]>();

/** Calls `work` after the transaction commits; never after a rollback. */
export function afterCommit(tx: Tx, work: () => void): void {
  afterCommits.get(tx)?.push(work);
}

/** Runs `work` in a transaction of the system role, which sees every workspace. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const callbacks: (() => void)[] = [];
  const result = await db.transaction().execute((tx) => {
    afterCommits.set(tx, callbacks);
    return work(tx);
  });
  for (const callback of callbacks) callback();
  return result;
}

/**
 * Runs `work` in a transaction that row-level security binds to one workspace. A read database has
 * no transactions: there, `work` gets a connection bound to the workspace.
 */
export function inWorkspace<T>(
  db: Db,
  workspaceId: number,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const workBound = async (tx: Tx) => {
    await tx.executeQuery(CompiledQuery.raw(bindWorkspaceSql, [String(workspaceId)]));
    return work(tx);
  };
  return readDatabases.has(db)
    ? db.connection().execute((reader) => workBound(reader as Tx))
    : inTransaction(db, workBound);
}
