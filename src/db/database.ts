import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import type pg from 'pg';
import type { Tables } from './tables.ts';

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** A kysely over the pool. Statements that begin with a comment like `/* name *\/` are prepared once per connection. */
export function openDatabase(pool: pg.Pool): Db {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: withNamedStatements(pool) }) });
}

const nameComment = /^\/\* ([a-z0-9-]{1,60}) \*\//;

function withNamedStatements(pool: pg.Pool) {
  return {
    connect: async () => {
      const client = await pool.connect();
      return {
        query: (text: unknown, values?: readonly unknown[]) => {
          if (typeof text !== 'string') return client.query(text as never);
          const name = nameComment.exec(text)?.[1];
          const written = (values ?? []).map(writeNumbers);
          return name ? client.query({ name, text, values: written }) : client.query(text, written);
        },
        release: () => client.release(),
      };
    },
    end: () => pool.end(),
  } as unknown as pg.Pool;
}

/** The driver escapes a list's values one by one, which for a thousand ids takes longer than looking them up. */
function writeNumbers(value: unknown): unknown {
  return Array.isArray(value) && value.length > 0 && value.every(Number.isFinite) ? `{${value.join(',')}}` : value;
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

/** A transaction that row-level security binds to one workspace. */
export function inWorkspace<T>(db: Db, workspaceId: number, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(db, async (tx) => {
    await sql`select set_config('app.workspace', ${String(workspaceId)}, true)`.execute(tx);
    return work(tx);
  });
}
