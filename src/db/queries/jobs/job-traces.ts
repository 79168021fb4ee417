import { sql } from 'kysely';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** The traces of open background jobs, by their ids. */
export async function listTracesOfJobs(
  db: Db,
  jobIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await sql<
    Row<'list-traces-of-jobs', { id: number; traceparent: string }, 'traceparent'>
  >`/* list-traces-of-jobs */
    select id::float8 as id, traceparent from jobs
    where id = any(${jobIds}::bigint[]) and traceparent is not null
      and state in ('queued', 'running')`.execute(db);
  return new Map(rows.map(({ id, traceparent }) => [id, traceparent]));
}

export type TracedPart = 'market' | 'listing' | 'store-task';

export interface TracedPartRow {
  kind: TracedPart;
  id: number;
  traceparent: string;
}

/** The traces of store work that open jobs wait for: the one of the oldest job for each part. */
export async function listTracesOfParts(
  db: Db,
  ids: {
    marketIds: readonly number[];
    listingIds: readonly number[];
    storeTaskIds: readonly number[];
  },
): Promise<TracedPartRow[]> {
  const { rows } = await sql<
    Row<'list-traces-of-parts', TracedPartRow, 'kind' | 'id' | 'traceparent'>
  >`/* list-traces-of-parts */
    select distinct on (part.kind, part.id) part.kind, part.id, j.traceparent
    from jobs j cross join lateral (
      select 'market' as kind, value::int as id
      from jsonb_array_elements_text(j.payload->'marketIds')
      where value::int = any(${ids.marketIds}::int[])
      union all
      select 'listing', (j.payload->>'listingId')::int
      where (j.payload->>'listingId')::int = any(${ids.listingIds}::int[])
      union all
      select 'store-task', value::int from jsonb_array_elements_text(j.payload->'storeTaskIds')
      where value::int = any(${ids.storeTaskIds}::int[])
    ) as part
    where j.traceparent is not null and j.state in ('queued', 'running')
    order by part.kind, part.id, j.id`.execute(db);
  return rows;
}
