import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely';
import type pg from 'pg';
import { beginLate, bindText } from './begin-late.ts';
import { readAlone } from './read-alone.ts';
import type { Tables } from './tables.ts';

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** A kysely over the pool. Statements that begin with a comment like `/* name *\/` are prepared once per connection. */
export function openDatabase(pool: pg.Pool): Db {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: beginLate(pool) }) });
}

const readings = new WeakSet<Db>();

/** A kysely over a pool for reading, whose transactions are none: each statement sees what is there when it is asked. */
export function openReading(pool: pg.Pool): Db {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: readAlone(pool) }) });
  readings.add(db);
  return db;
}

const afterCommits = new WeakMap<Tx, (() => void)[]>();

/** Runs `work` once the transaction has committed; never when it rolled back. */
export function afterCommit(tx: Tx, work: () => void): void {
  afterCommits.get(tx)?.push(work);
}

/** A transaction of the system role: sign-in, planning, the run. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const callbacks: (() => void)[] = [];
  const result = await db.transaction().execute((tx) => {
    afterCommits.set(tx, callbacks);
    return work(tx);
  });
  for (const callback of callbacks) callback();
  return result;
}

/** A transaction that row-level security binds to one workspace; for reading, a connection that is. */
export function inWorkspace<T>(
  db: Db,
  workspaceId: number,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const workBound = async (tx: Tx) => {
    await tx.executeQuery(CompiledQuery.raw(bindText, [String(workspaceId)]));
    return work(tx);
  };
  return readings.has(db)
    ? db.connection().execute((reader) => workBound(reader as Tx))
    : inTransaction(db, workBound);
}
