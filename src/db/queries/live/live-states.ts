import { sql } from 'kysely';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** Equal as long as nobody writes to the database server. */
export async function readSnapshot(systemDb: Db): Promise<string> {
  const { rows } = await sql<Row<'live-snapshot'>>`/* live-snapshot */
    select pg_current_snapshot()::text as snapshot`.execute(systemDb);
  return rows[0]!.snapshot;
}

export interface LiveStateRow {
  workspaceId: number;
  runs: string;
  jobs: string;
  positions: string;
  events: string;
}

/** A text for each topic of some workspaces that changes when its lists do. */
export async function listLiveStates(
  systemDb: Db,
  workspaceIds: readonly number[],
  today: string,
): Promise<LiveStateRow[]> {
  const { rows } = await sql<Row<'list-live-states'>>`/* list-live-states */
    with newest_run as materialized (
      select concat(date, state, finished_at) as run from runs where date <= ${today}::date
      order by date desc limit 1
    )
    select w.id as "workspaceId",
      coalesce((select run from newest_run), '') as runs,
      coalesce((select string_agg(concat_ws(' ', j.id, j.state, j.done, j.total, j.attempts), ',')
        from (select id, state, done, total, attempts from jobs
          where workspace_id = w.id order by id desc limit 50) j), '') as jobs,
      coalesce((select concat_ws(' ', count(*), max(k.latest_at)) from keywords k
        where k.workspace_id = w.id and k.archived_at is null), '') as positions,
      coalesce((select max(e.sequence)::text from events e
        where e.workspace_id = w.id), '') as events
    from unnest(${[...workspaceIds]}::int[]) as w(id)`.execute(systemDb);
  return rows.map((row) => ({
    workspaceId: row.workspaceId!,
    runs: row.runs,
    jobs: row.jobs,
    positions: row.positions,
    events: row.events,
  }));
}
