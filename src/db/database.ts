import { setImmediate } from 'node:timers/promises';
import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  type DatabaseConnection,
  type Transaction,
} from 'kysely';
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

/** By read database: a reader with one of its connections. */
const readerMakers = new WeakMap<Db, (connection: DatabaseConnection) => Tx>();
const readers = new WeakSet<Tx>();

/**
 * A database for reads. It has no transactions: each statement sees what is committed when it runs.
 * `readPool` decides how readers use the connections of the pool.
 */
export function openReadDatabase(pool: pg.Pool, readPool = sharedReadPool(pool)): Db {
  const config = { dialect: new PostgresDialect({ pool: readPool }) };
  const db = new Kysely<Tables>(config);
  const unused = { ...config, config, driver: config.dialect.createDriver() };
  readerMakers.set(db, (connection) => {
    // Kysely's own connection waits for each result before it sends the next statement.
    const executor = db
      .getExecutor()
      .withConnectionProvider({ provideConnection: (work) => work(connection) });
    const reader = new Kysely<Tables>({ ...unused, executor }) as Tx;
    readers.add(reader);
    return reader;
  });
  return db;
}

/**
 * Runs reads of which none needs the result of another. With a read database their statements are
 * sent in one write, because each write wakes the server; in a transaction they run one after
 * another. When several fail, throws the error of the first one, after all have ended.
 */
export async function readTogether<Results extends readonly unknown[]>(
  tx: Tx | Db,
  ...reads: { [At in keyof Results]: () => Promise<Results[At]> }
): Promise<Results> {
  const results: unknown[] = [];
  if (!readers.has(tx as Tx)) {
    for (const read of reads) results.push(await read());
    return results as unknown as Results;
  }
  for (const outcome of await Promise.allSettled(reads.map((read) => read()))) {
    if (outcome.status === 'rejected') throw outcome.reason;
    results.push(outcome.value);
  }
  return results as unknown as Results;
}

/**
 * Reads parts in their order, and each while the caller works on the one before, so that the
 * server and this process work at the same time. Two results are in memory at a time.
 */
export async function* readAhead<Part, Result>(
  parts: readonly Part[],
  read: (part: Part) => Promise<Result>,
): AsyncGenerator<{ part: Part; result: Result }> {
  let next: Promise<Result> | undefined;
  const begin = (part: Part | undefined) => {
    next = part === undefined ? undefined : read(part);
    // It is awaited later, when this loop has reached it or was left.
    next?.catch(() => undefined);
  };
  begin(parts[0]);
  try {
    for (const [at, part] of parts.entries()) {
      const result = await next!;
      begin(parts[at + 1]);
      // Statements are made in this turn and written at the end of the next one.
      await setImmediate();
      await setImmediate();
      yield { part, result };
    }
  } finally {
    await next?.catch(() => undefined);
  }
}

const afterCommits = new WeakMap<Tx, (() => void)[]>();

/** Calls `work` after the transaction commits; never after a rollback. */
export function afterCommit(tx: Tx, work: () => void): void {
  afterCommits.get(tx)?.push(work);
}

const lastSteps = new WeakMap<Db, (tx: Tx) => Promise<void>>();

/** The same database, whose transactions run `last` before they commit. */
export function withLastStep(db: Db, last: (tx: Tx) => Promise<void>): Db {
  const view = db.withoutPlugins();
  lastSteps.set(view, last);
  return view;
}

/** Runs `work` in a transaction of the system role, which sees every workspace. */
export async function inTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const callbacks: (() => void)[] = [];
  const last = lastSteps.get(db);
  const result = await db.transaction().execute(async (tx) => {
    afterCommits.set(tx, callbacks);
    const done = await work(tx);
    await last?.(tx);
    return done;
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
  const bind = CompiledQuery.raw(bindWorkspaceSql, [String(workspaceId)]);
  const makeReader = readerMakers.get(db);
  return makeReader === undefined
    ? inTransaction(db, async (tx) => {
        await tx.executeQuery(bind);
        return work(tx);
      })
    : db.getExecutor().provideConnection(async (connection) => {
        await connection.executeQuery(bind);
        return work(makeReader(connection));
      });
}
