import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/**
 * Gets or creates the workspace's generation of the day, and locks its row until the transaction
 * ends.
 */
export async function lockActionRun(
  tx: Tx,
  workspaceId: number,
  day: string,
): Promise<{ jobId: number | null }> {
  await sql`
    insert into action_runs (workspace_id, on_date) values (${workspaceId}, ${day})
      on conflict do nothing`.execute(tx);
  const { rows } = await sql<Row<'action-run-job'>>`
    select job_id::float8 as "jobId" from action_runs
      where workspace_id = ${workspaceId} and on_date = ${day} for update`.execute(tx);
  return rows[0]!;
}

export async function setActionRunJob(
  tx: Tx,
  workspaceId: number,
  day: string,
  jobId: number,
): Promise<void> {
  await sql`
    update action_runs set job_id = ${jobId} where workspace_id = ${workspaceId}
      and on_date = ${day}`.execute(tx);
}

/** Records that this generation reads the results of the day's checks. */
export async function markRanAfterChecks(tx: Tx, workspaceId: number, day: string): Promise<void> {
  await sql`
    with marked as (
      update action_runs set after_run = true where workspace_id = ${workspaceId}
        and on_date = ${day}
    )
    update workspaces set actions_on = ${day} where id = ${workspaceId}
      and actions_on < ${day}`.execute(tx);
}

/**
 * Workspaces whose part of the day's run is complete and whose actions were not generated since.
 * The part is complete when every market, listing and review feed has an outcome, or when the run
 * is finished; listings whose refresh the day sheds get none. In runs opened before the deadline, a
 * degraded store is not waited for; in runs opened up to `noWaitSince`, nothing is.
 */
export async function listWorkspacesToGenerate(
  db: Db,
  input: { day: string; deadline: Date; noWaitSince: Date | null; limit: number },
): Promise<number[]> {
  const { day, deadline, noWaitSince, limit } = input;
  const isAwaited = sql`
    (s.completed_on is null or s.completed_on < r.date)
    and not (r.opened_at <= ${deadline} and exists (select from series_probes c
      where c.store = s.store and c.date = r.date and c.state = 'degraded'))`;
  // Before the day's run every workspace would be read for nothing.
  const runs = await sql`/* run-of-day */ select from runs where date = ${day}::date`.execute(db);
  if (runs.rows.length === 0) return [];
  const { rows } = await sql<Row<'workspaces-to-generate'>>`/* workspaces-to-generate */
    select w.id from workspaces w join runs r on r.date = ${day}::date
    where w.state <> 'suspended' and w.actions_on < ${day}::date
      and not exists (select from action_runs g
        where g.workspace_id = w.id and g.on_date = r.date and g.after_run)
      and (
        exists (select from apps a where a.workspace_id = w.id and a.archived_at is null)
        or exists (select from webhooks h where h.workspace_id = w.id)
        or exists (select from actions o where o.workspace_id = w.id
          and o.status in ('open', 'snoozed')))
      and (r.finished_at is not null or r.opened_at <= ${noWaitSince}::timestamptz or not (
        exists (
          select from keywords k join market_schedule s on s.market_id = k.market_id
          where k.workspace_id = w.id and k.archived_at is null and not k.paused and not k.held
            and s.depth > 0 and ${isAwaited})
        or exists (
          select from apps a join listing_schedule s on s.listing_id = a.listing_id
          where a.workspace_id = w.id and a.archived_at is null and s.active and ${isAwaited}
            and not coalesce(r.shed -> s.store ? 'refresh', false))
        or exists (
          select from apps a join store_tasks s on s.listing_id = a.listing_id
          where a.workspace_id = w.id and a.archived_at is null and s.active and s.kind = 'reviews'
            and ${isAwaited})))
    order by w.id limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}
