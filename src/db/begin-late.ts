import pg from 'pg';
import { nameOf } from './statement-names.ts';

export const nothing = { rows: [], rowCount: 0, command: '' };
/** Row-level security shows the transaction this workspace's rows alone. */
export const bindText = "select set_config('app.workspace', $1, true)";

/**
 * A pool whose transactions begin with their first statement, which is one way to the server and back less for every request.
 * Statements that begin with a comment like `/* name *\/` are prepared once per connection.
 */
export function beginLate(pool: pg.Pool): pg.Pool {
  const connect = async () => {
    const client = await pool.connect();
    let isBeginning = false;
    let isSilent = false;
    const send = async (text: unknown, values?: readonly unknown[]) => {
      if (typeof text !== 'string') return client.query(text as never);
      if (text === 'begin') {
        isBeginning = true;
        return nothing;
      }
      if (!isBeginning) return ask(client, text, values);
      isBeginning = false;
      if (text === 'commit' || text === 'rollback') return nothing;
      if (text === bindText) {
        await client.query(
          `begin; select set_config('app.workspace', '${Number(values![0])}', true)`,
        );
        return nothing;
      }
      await client.query('begin');
      return ask(client, text, values);
    };
    const query = async (text: unknown, values?: readonly unknown[]) => {
      try {
        return await send(text, values);
      } catch (error) {
        isSilent ||= /query read timeout/i.test((error as Error).message);
        throw error;
      }
    };
    // What it has not answered it may still do, in a transaction that nobody ended: the next one must not find itself in it.
    return { query, release: (isBroken?: boolean) => client.release(isBroken || isSilent) };
  };
  return { connect, end: () => pool.end() } as unknown as pg.Pool;
}

/** Prepared once where it has a name. */
export function ask(
  client: pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
  name = nameOf(text),
): Promise<pg.QueryResult> {
  const written = values.map(writeNumbers);
  return name ? askPrepared(client, name, text, written) : client.query(text, written);
}

/** What the driver makes of `{ name, text, values }`, which it first copies member by member. */
export function askPrepared(
  client: pg.PoolClient,
  name: string,
  text: string,
  values: unknown[],
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query(text, values, (error: Error | undefined, result: pg.QueryResult) =>
      error ? reject(error) : resolve(result),
    );
    client.query(Object.assign(query, { name }));
  });
}

/** The driver escapes a list's values one by one, which for a thousand ids takes longer than looking them up. */
function writeNumbers(value: unknown): unknown {
  return Array.isArray(value) && value.length > 0 && value.every(Number.isFinite)
    ? `{${value.join(',')}}`
    : value;
}
