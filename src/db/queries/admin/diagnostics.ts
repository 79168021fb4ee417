import { sql } from 'kysely';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';

// For operators, as the system role. No statement reads a name, an address or a phrase.

const newest = 50;

/** Exact counts of the rows that people make. */
export async function countRows(db: Db): Promise<Row<'count-rows'>> {
  const { rows } = await sql<Row<'count-rows'>>`/* count-rows */
    select (select count(*)::int from users) as users,
      (select count(*)::int from workspaces) as workspaces,
      (select count(*)::int from apps) as apps,
      (select count(*)::int from keywords) as keywords,
      (select count(*)::int from markets) as markets,
      (select count(*)::int from webhooks) as webhooks`.execute(db);
  return rows[0]!;
}

/** The largest tables. Their rows are PostgreSQL's estimate. */
export async function listTableSizes(db: Db): Promise<Row<'list-table-sizes'>[]> {
  const { rows } = await sql<Row<'list-table-sizes'>>`/* list-table-sizes */
    select relname::text as name, greatest(reltuples, 0)::bigint as rows,
      pg_total_relation_size(oid) as bytes
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    order by 3 desc, 1 limit ${newest}`.execute(db);
  return rows;
}

export interface NewestRun {
  date: string;
  state: string;
  openedAt: Date;
  finishedAt: Date | null;
  pressure: Record<string, unknown>;
  shed: Record<string, unknown>;
}

export async function listNewestRuns(db: Db): Promise<NewestRun[]> {
  const { rows } = await sql<
    Row<'list-newest-runs', NewestRun, 'pressure' | 'shed'>
  >`/* list-newest-runs */
    select date, state, opened_at as "openedAt", finished_at as "finishedAt", pressure, shed
    from runs order by date desc limit 14`.execute(db);
  return rows;
}

export async function listNewestFailedJobs(db: Db): Promise<Row<'list-newest-failed-jobs'>[]> {
  const { rows } = await sql<Row<'list-newest-failed-jobs'>>`/* list-newest-failed-jobs */
    select id, kind, error, attempts, finished_at as "finishedAt" from jobs
    where state = 'failed' order by id desc limit ${newest}`.execute(db);
  return rows;
}

export async function listNewestDeadLetters(db: Db): Promise<Row<'list-newest-dead-letters'>[]> {
  const { rows } = await sql<Row<'list-newest-dead-letters'>>`/* list-newest-dead-letters */
    select id, queue, dead_lettered_at as "deadLetteredAt" from dead_letters
    order by id desc limit ${newest}`.execute(db);
  return rows;
}
