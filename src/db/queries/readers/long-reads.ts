import { sql } from 'kysely';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface LongReadLimits {
  statementSeconds: number;
  transactionSeconds: number;
}

/**
 * Ends connections of readers whose statement or transaction takes longer, and returns the logins:
 * a session may lift the limits of its login. As the system role, which is a member of each login.
 */
export async function endLongReads(
  db: Db,
  { statementSeconds, transactionSeconds }: LongReadLimits,
): Promise<string[]> {
  const { rows } = await sql<Row<'end-long-reads', { login: string }>>`/* end-long-reads */
    select r.login
    from reader_logins r
    cross join lateral (
      select a.pid from pg_stat_activity a
      where a.usename = r.login and a.datname = current_database()
        and (a.state = 'active'
            and a.query_start < clock_timestamp()
              - make_interval(secs => ${statementSeconds}::float8)
          or a.xact_start < clock_timestamp()
            - make_interval(secs => ${transactionSeconds}::float8))
    ) long
    where pg_terminate_backend(long.pid)`.execute(db);
  return rows.map(({ login }) => login);
}
