import pg from 'pg';

const timeoutMs = 4_000;

/**
 * Applies settings of PostgreSQL to a new connection, for as long as it exists. They are a
 * statement and not a part of the connection's start, where PgBouncer refuses or ignores them. A
 * role is the last one: it may lack the right to set the others.
 */
export async function applySettings(
  client: pg.ClientBase,
  { role, ...settings }: Readonly<Record<string, string>>,
): Promise<void> {
  const ordered = Object.entries({ ...settings, ...(role !== undefined && { role }) });
  const calls = ordered.map(
    ([name, value]) => `set_config('${name}', ${pg.escapeLiteral(value)}, false)`,
  );
  const query = { text: `select ${calls.join(', ')}`, query_timeout: timeoutMs };
  await client.query(query as pg.QueryConfig);
}
