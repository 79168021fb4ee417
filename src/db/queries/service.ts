import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface ServiceFacts {
  failedJobs: number;
  lastRun: { date: string; state: string } | null;
}

/** What went wrong for good, over all workspaces, and the newest run (system role). */
export async function readServiceFacts(db: Db): Promise<ServiceFacts> {
  const { rows } = await sql<{ failed: bigint; date: string | null; state: string | null }>`/* read-service-facts */
    select (select count(*) from jobs where state = 'failed') + (select count(*) from parked_work) as failed, r.date, r.state
    from (select 1) as one
    left join lateral (select date, state from runs order by date desc limit 1) r on true`.execute(db);
  const row = rows[0];
  return {
    failedJobs: Number(row?.failed ?? 0),
    lastRun: row?.date && row.state ? { date: row.date, state: row.state } : null,
  };
}
