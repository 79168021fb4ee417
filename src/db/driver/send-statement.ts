import pg from 'pg';
import { nameOf } from './statement-names.ts';
import { inStatementSpan } from './statement-span.ts';

/** Row-level security shows the transaction only the rows of this workspace. */
export const bindWorkspaceSql = "select set_config('app.workspace', $1, true)";

/** For statements that are not sent to the server. */
export const emptyResult = { rows: [], rowCount: 0, command: '' };

/** Prepares the statement once per connection if it has a name. */
export function sendStatement(
  client: pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
  name = nameOf(text),
): Promise<pg.QueryResult> {
  const written = values.map(writeNumbers);
  return inStatementSpan(text, () =>
    name ? sendPrepared(client, name, text, written) : client.query(text, written),
  );
}

/** Does what the driver does with `{ name, text, values }`, without copying each member first. */
export function sendPrepared(
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

/**
 * The driver escapes the values of a list one by one. For a thousand ids that takes longer than
 * looking them up.
 */
function writeNumbers(value: unknown): unknown {
  return Array.isArray(value) && value.length > 0 && value.every(Number.isFinite)
    ? `{${value.join(',')}}`
    : value;
}
