import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { StoreJobKind } from '../jobs/jobs.ts';

/** Work shed on a day, by store. */
export type ShedWork = Partial<
  Record<StoreName, ('refresh' | 'reviews' | 'chart' | 'page' | 'hints')[]>
>;

export interface RunRow {
  date: string;
  state: 'running' | 'finished' | 'degraded' | 'overdue' | 'missed';
  openedAt: Date;
  finishedAt: Date | null;
  /** The planned work divided by the remaining capacity of the day. */
  pressure: Partial<Record<StoreName, number>>;
  shed: ShedWork;
}

const columns = sql`
  date, state, opened_at as "openedAt", finished_at as "finishedAt", pressure, shed`;

export async function findOpenRun(db: Db | Tx): Promise<RunRow | undefined> {
  const { rows } = await sql<Row<'find-open-run', RunRow, 'state' | 'pressure' | 'shed'>>`
      select ${columns} from runs where finished_at is null order by date desc limit 1`.execute(db);
  return rows[0];
}

export async function findRun(db: Db | Tx, date: string): Promise<RunRow | undefined> {
  const { rows } = await sql<
    Row<'find-run', RunRow, 'state' | 'pressure' | 'shed'>
  >`select ${columns} from runs where date = ${date}`.execute(db);
  return rows[0];
}

/** The newest run before a day. */
export async function findRunBefore(db: Db | Tx, date: string): Promise<RunRow | undefined> {
  const { rows } = await sql<Row<'find-run-before', RunRow, 'state' | 'pressure' | 'shed'>>`
      /* run-before */ select ${columns} from runs
      where date < ${date} order by date desc limit 1`.execute(db);
  return rows[0];
}

/**
 * True when this call opened the run. There is one for each UTC date, whatever the number of
 * schedulers.
 */
export async function insertRun(
  tx: Tx,
  run: { date: string; openedAt: Date; pressure: object; shed: object },
): Promise<boolean> {
  const { rows } = await sql`
    insert into runs (date, opened_at, state, pressure, shed)
    values (${run.date}, ${run.openedAt}, 'running', ${JSON.stringify(run.pressure)},
      ${JSON.stringify(run.shed)})
    on conflict (date) do nothing returning date`.execute(tx);
  return rows.length > 0;
}

export async function finishRun(
  db: Db | Tx,
  date: string,
  state: RunRow['state'],
  at: Date,
): Promise<void> {
  await sql`
    update runs set finished_at = ${at}, state = ${state}
      where date = ${date} and finished_at is null`.execute(db);
}

/**
 * Checked with every tick, because planning the next statement takes longer than the rest of a tick
 * without work.
 */
async function hasOpenJobs(db: Db, kinds: readonly StoreJobKind[]): Promise<boolean> {
  const { rows } = await sql<Row<'has-open-jobs'>>`/* has-open-jobs */
    select exists (select from jobs where state in ('queued', 'running') and kind = any(${kinds}))
      as has`.execute(db);
  return rows[0]!.has;
}

const jobsAtOnce = 500;

/**
 * Updates open jobs of these kinds from the schedules of the store work that they requested, lowest
 * id first. Returns the id to continue after; 0 starts from the first again.
 */
export async function syncJobStatus(
  db: Db,
  { kinds, now, afterId = 0n }: { kinds: readonly StoreJobKind[]; now: Date; afterId?: bigint },
): Promise<bigint> {
  if (!(await hasOpenJobs(db, kinds))) return 0n;
  const { rows } = await sql<
    Row<'sync-job-status', { lastId: bigint }, 'lastId'>
  >`/* sync-job-status */
    with open as (
      select id, total, (payload->>'day')::date as day, payload, state from jobs
      where state in ('queued', 'running') and kind = any(${kinds}) and id > ${afterId}
      order by id limit ${jobsAtOnce}
    ), counted as (
      select open.id, open.total, open.state,
        (select count(*) from jsonb_array_elements_text(coalesce(open.payload->'marketIds', '[]'))
          as requested(id)
          join market_schedule s on s.market_id = requested.id::int
          where s.depth > 0 and (s.completed_on is null or s.completed_on < open.day
            or s.urgent_at is not null))
        + (select count(*) from listing_schedule l
          where l.listing_id = (open.payload->>'listingId')::int and l.active
            and (l.completed_on is null or l.completed_on < open.day))
        + (select count(*) from jsonb_array_elements_text(coalesce(open.payload->'storeTaskIds',
          '[]')) as requested(id)
          join store_tasks c on c.id = requested.id::int
          where c.active and (c.urgent_at is not null
            -- A task that is no longer urgent is waited for only on a day of its own.
            or ((c.completed_on is null or c.completed_on < open.day)
              and is_store_task_day(c, open.day)))) as remaining,
        -- A gap of the day counts as failed unless a response came after midnight.
        (select count(*) from jsonb_array_elements_text(coalesce(open.payload->'marketIds', '[]'))
          as requested(id)
          join market_gaps g on g.market_id = requested.id::int and g.on_date = open.day
          join market_schedule s on s.market_id = g.market_id
            where s.checked_on is null or s.checked_on < open.day)
        + (select count(*) from jsonb_array_elements_text(coalesce(open.payload->'storeTaskIds',
          '[]')) as requested(id)
          join store_task_gaps g on g.store_task_id = requested.id::int and g.on_date = open.day
          join store_tasks c on c.id = g.store_task_id
            where c.read_on is null or c.read_on < open.day) as failed
      from open
    ), synced as (
      update jobs j set
        total = greatest(j.total, c.remaining::int),
        done = greatest(j.total, c.remaining::int) - c.remaining::int,
        state = case when c.remaining > 0 then case when j.total > c.remaining then 'running'
          else j.state end
          when c.failed > 0 and c.failed >= j.total then 'failed' else 'succeeded' end,
        started_at = case when j.total > c.remaining or c.remaining = 0
          then coalesce(j.started_at, ${now}) else j.started_at end,
        finished_at = case when c.remaining = 0 then ${now}::timestamptz end,
        error = case when c.remaining = 0 and c.failed > 0
          then c.failed || ' of ' || j.total ||
          ' checks got no usable answer from the store; GET /runs and fill=gaps say why' end
      from counted c where j.id = c.id and j.state in ('queued', 'running')
        and (c.remaining = 0 or j.done <> greatest(j.total, c.remaining::int) - c.remaining::int)
    )
    select case when count(*) = ${jobsAtOnce} then max(id) else 0 end as "lastId"
    from open`.execute(db);
  return rows[0]!.lastId;
}
