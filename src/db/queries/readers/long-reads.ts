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
 * Materialized: the planner may otherwise end sessions before it knows whose they are.
 */
export async function endLongReads(
  db: Db,
  { statementSeconds, transactionSeconds }: LongReadLimits,
): Promise<string[]> {
  const { rows } = await sql<Row<'end-long-reads', { login: string }>>`/* end-long-reads */
    with long as materialized (
      select r.login, a.pid
      from reader_logins r
      join pg_stat_activity a on a.usename = r.login and a.datname = current_database()
      where a.state = 'active'
          and a.query_start < clock_timestamp()
            - make_interval(secs => ${statementSeconds}::float8)
        or a.xact_start < clock_timestamp()
          - make_interval(secs => ${transactionSeconds}::float8)
    )
    select login from long where pg_terminate_backend(pid)`.execute(db);
  return rows.map(({ login }) => login);
}
