import pg from 'pg';

/** Metabase opens up to 15 connections by itself; ten leave enough for the product. */
export const maxConnections = 10;

/**
 * Defaults of each session. A reader may change them, so none of them protects anything by itself:
 * rights do, and `end-long-reads` ends what takes too long.
 */
export const loginSettings: Readonly<Record<string, string>> = {
  default_transaction_read_only: 'on',
  statement_timeout: '60s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '60s',
  search_path: 'reader',
  timezone: 'UTC',
};

/** The statements of an administrator for a login, and for the roles when `owner` is given. */
export function handMadeLoginSql(login: string, owner: string | null = null): string {
  const name = pg.escapeIdentifier(login);
  const roles =
    owner === null
      ? []
      : [
          'create role toprung_views; create role toprung_reader;',
          `grant toprung_views, toprung_reader to ${owner}`,
          '  with admin true, inherit true, set true;',
        ];
  return [
    ...roles,
    `create role ${name} login connection limit ${maxConnections};`,
    `grant toprung_reader to ${name} with inherit true, set false;`,
    `grant ${name} to toprung_system with inherit true, set false;`,
    ...Object.entries(loginSettings).map(
      ([setting, value]) => `alter role ${name} set ${setting} = ${pg.escapeLiteral(value)};`,
    ),
  ]
    .map((line) => `  ${line}`)
    .join('\n');
}
