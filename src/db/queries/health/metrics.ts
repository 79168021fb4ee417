import { sql } from 'kysely';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface ServiceFacts {
  failedJobs: number;
  /** Those of one workspace; null without one. */
  ownFailedJobs: number | null;
  lastRun: { date: string; state: string } | null;
}

/** Permanent failures in all workspaces and in one; the newest run up to today (system role). */
export async function readServiceFacts(
  db: Db,
  workspaceId: number | null,
  today: string,
): Promise<ServiceFacts> {
  const { rows } = await sql<Row<'read-service-facts'>>`/* read-service-facts */
    select (select count(*) from jobs where state = 'failed') + (select count(*)
      from dead_letters) as failed, (select count(*) from jobs where workspace_id = ${workspaceId}
      and state = 'failed') as own, r.date, r.state
    from (select 1) as one
    left join lateral (select date, state from runs where date <= ${today}::date
      order by date desc limit 1) r on true`.execute(db);
  const row = rows[0];
  return {
    failedJobs: Number(row?.failed ?? 0),
    ownFailedJobs: workspaceId === null ? null : Number(row?.own ?? 0),
    lastRun: row?.date && row.state ? { date: row.date, state: row.state } : null,
  };
}

/** The database's size on disk: tables and indexes, without the write-ahead log. */
export async function readDatabaseBytes(db: Db): Promise<number> {
  const { rows } = await sql<
    Row<'read-database-bytes'>
  >`select pg_database_size(current_database()) as bytes`.execute(db);
  return Number(rows[0]!.bytes);
}

export interface RunMetrics {
  store: string;
  due: number;
  checked: number;
  gaps: number;
}

/** The progress of the day by store, over all workspaces, from the counts (system role). */
export async function listRunMetrics(db: Db, day: string): Promise<RunMetrics[]> {
  const { rows } = await sql<Row<'run-readings', RunMetrics>>`/* run-readings */
    select stores.store,
      coalesce(sum(tasks) filter (where due_from <= ${day}::date), 0)::int as due,
      coalesce(sum(tasks) filter (where due_from > ${day}::date and is_checked), 0)::int as checked,
      coalesce(sum(tasks) filter (where due_from > ${day}::date and not is_checked), 0)::int as gaps
    from stores join due_counts c on c.store = stores.store and c.kind = 'rank-check'
    group by stores.store having sum(tasks) > 0`.execute(db);
  return rows;
}

export interface RequestMetrics {
  store: string;
  requests: number;
  refused: number;
}

/** The requests of the day by store, without those for pictures. */
export async function listRequestMetrics(db: Db, day: string): Promise<RequestMetrics[]> {
  const { rows } = await sql<Row<'request-readings', RequestMetrics>>`/* request-readings */
    select stores.store, coalesce(r.requests, 0)::float8 as requests,
      coalesce(r.refused, 0)::float8 as refused
    from stores
    left join (select store, sum(requests) as requests, sum(refused) as refused from store_requests
      where on_date = ${day} and kind <> 'image' group by store) r using (store)`.execute(db);
  return rows;
}
