import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { Queryable } from './pacing.ts';

/** Failed connections through an endpoint since the last one that worked. */
export interface EndpointHealth {
  endpoint: string;
  consecutiveFailures: number;
  unavailableForMs: number;
}

/** Notes in all rows of an endpoint what this process knows of it. */
export async function updateEndpointHealth(
  db: Queryable,
  { endpoint, consecutiveFailures, unavailableForMs }: EndpointHealth,
): Promise<void> {
  await db.query(
    `with changed as (
       select store, host from pacing where endpoint = $1
         and (connection_failures <> $2::int or unavailable_until is not null)
       order by store, host for no key update
     )
     update pacing set connection_failures = $2::int, unavailable_until = case
       when $3::int > 0 then clock_timestamp() + $3::int * interval '1 millisecond' end
     from changed where pacing.store = changed.store and pacing.host = changed.host
       and pacing.endpoint = $1`,
    [endpoint, consecutiveFailures, unavailableForMs],
  );
}

/** How many of the endpoints some process does not use at the moment. */
export async function countUnavailableEndpoints(
  db: Db | Tx,
  endpoints: readonly string[],
): Promise<number> {
  const { rows } = await sql<Row<'count-unavailable-endpoints'>>`/* count-unavailable-endpoints */
    select count(distinct endpoint)::int as count from pacing
    where endpoint = any(${[...endpoints]}::text[])
      and unavailable_until > clock_timestamp()`.execute(db);
  return rows[0]!.count;
}
