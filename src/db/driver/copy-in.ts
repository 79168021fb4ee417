import { once } from 'node:events';
import type pg from 'pg';
import { sendCopy, type CopyConnection } from './copy-connection.ts';

/**
 * Runs `COPY … FROM STDIN` with these bytes and returns the number of rows. When the source fails,
 * the statement is cancelled and the error of the source is thrown.
 */
export async function copyIn(
  client: pg.ClientBase,
  sql: string,
  source: AsyncIterable<Uint8Array>,
): Promise<number> {
  const ready = Promise.withResolvers<CopyConnection>();
  const done = Promise.withResolvers<number>();
  // Both may fail before anybody awaits them.
  ready.promise.catch(() => undefined);
  done.promise.catch(() => undefined);
  let rows = 0;
  let failure: Error | null = null;
  const fail = (error: Error) => {
    failure = error;
    ready.reject(error);
    done.reject(error);
  };
  sendCopy(client, {
    submit: (connection) => connection.query(sql),
    handleCopyInResponse: (connection) => ready.resolve(connection),
    handleCommandComplete: ({ text }) => (rows = Number(/^COPY (\d+)$/.exec(text)?.[1] ?? 0)),
    handleReadyForQuery: () => done.resolve(rows),
    handleError: fail,
    handleCopyData: () => {},
    handleRowDescription: () => {},
    handleDataRow: () => {},
  });
  const connection = await ready.promise;
  try {
    for await (const chunk of source) {
      // The server has refused a row and ignores the other ones.
      if (failure !== null) throw failure as Error;
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) await drained(connection, done.promise);
    }
  } catch (error) {
    if (failure === null) {
      connection.sendCopyFail('the source of the rows failed');
      await done.promise.catch(() => undefined);
    }
    throw error;
  }
  connection.endCopyFrom();
  return done.promise;
}

/** A server that has gone away never drains; the statement then fails. */
async function drained({ stream }: CopyConnection, failing: Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  await Promise.race([once(stream, 'drain', { signal: waiting.signal }), failing]).finally(() =>
    waiting.abort(),
  );
}
