import type pg from 'pg';
import { bindWorkspaceSql, emptyResult, sendStatement } from './send-statement.ts';

/**
 * A pool whose transactions begin with their first statement, which saves each request a round
 * trip. Statements that begin with a comment like `/* name *\/` are prepared once per connection.
 */
export function lazyTransaction(pool: pg.Pool): pg.Pool {
  const connect = async () => {
    const client = await pool.connect();
    let isBeginning = false;
    let hasTimedOut = false;
    const send = async (text: unknown, values?: readonly unknown[]) => {
      if (typeof text !== 'string') return client.query(text as never);
      if (text === 'begin') {
        isBeginning = true;
        return emptyResult;
      }
      if (!isBeginning) return sendStatement(client, text, values);
      isBeginning = false;
      if (text === 'commit' || text === 'rollback') return emptyResult;
      if (text === bindWorkspaceSql) {
        await client.query(
          `begin; select set_config('app.workspace', '${Number(values![0])}', true)`,
        );
        return emptyResult;
      }
      await client.query('begin');
      return sendStatement(client, text, values);
    };
    const query = async (text: unknown, values?: readonly unknown[]) => {
      try {
        return await send(text, values);
      } catch (error) {
        hasTimedOut ||= /query read timeout/i.test((error as Error).message);
        throw error;
      }
    };
    // The server may still be running the statement in an open transaction, so the connection is
    // closed: its next user must not continue that transaction.
    return { query, release: (isBroken?: boolean) => client.release(isBroken || hasTimedOut) };
  };
  return { connect, end: () => pool.end() } as unknown as pg.Pool;
}
