import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface ServiceFacts {
  failedJobs: number;
  lastRun: { date: string; state: string } | null;
}

/** What went wrong for good, over all workspaces, and the newest run (system role). */
export async function readServiceFacts(db: Db): Promise<ServiceFacts> {
  const { rows } = await sql<{
    failed: bigint;
    date: string | null;
    state: string | null;
  }>`/* read-service-facts */
    select (select count(*) from jobs where state = 'failed') + (select count(*) from parked_work) as failed, r.date, r.state
    from (select 1) as one
    left join lateral (select date, state from runs order by date desc limit 1) r on true`.execute(
    db,
  );
  const row = rows[0];
  return {
    failedJobs: Number(row?.failed ?? 0),
    lastRun: row?.date && row.state ? { date: row.date, state: row.state } : null,
  };
}

/** What this database takes on the disk: tables, indexes and all, without the server's log of changes. */
export async function readDatabaseBytes(db: Db): Promise<number> {
  const { rows } = await sql<{
    bytes: bigint;
  }>`select pg_database_size(current_database()) as bytes`.execute(db);
  return Number(rows[0]!.bytes);
}

export interface RunReading {
  store: string;
  due: number;
  checked: number;
  gaps: number;
}

/** How far the day is, by store, over all workspaces (system role). */
export async function readRunReadings(db: Db, day: string): Promise<RunReading[]> {
  const { rows } = await sql<RunReading>`/* run-readings */
    select store, count(*) filter (where settled_on is null or settled_on < ${day})::int as due,
      count(*) filter (where checked_on >= ${day})::int as checked,
      count(*) filter (where settled_on >= ${day} and (checked_on is null or checked_on < ${day}))::int as gaps
    from market_schedule where depth > 0 group by store`.execute(db);
  return rows;
}

export interface PaceReading {
  store: string;
  requests: number;
  refused: number;
  slowFactor: number | null;
}

export async function listPaceReadings(db: Db, day: string): Promise<PaceReading[]> {
  const { rows } = await sql<PaceReading>`/* pace-readings */
    select stores.store, coalesce(r.requests, 0)::float8 as requests, coalesce(r.refused, 0)::float8 as refused, p.factor as "slowFactor"
    from (values ('ios'), ('android')) as stores(store)
    left join (select store, sum(requests) as requests, sum(refused) as refused from store_requests where on_date = ${day} group by store) r using (store)
    left join (select store, max(slow_factor) as factor from pacing group by store) p using (store)`.execute(
    db,
  );
  return rows;
}
