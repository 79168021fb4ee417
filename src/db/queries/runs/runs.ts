import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** Work shed on a day, by store. */
export type ShedWork = Partial<
  Record<StoreName, ('refresh' | 'reviews' | 'chart' | 'page' | 'hints')[]>
>;

/** Work that a closed day has left over; the requests are those of checks that were not run. */
export interface LeftOver {
  markets?: number;
  storeTasks?: number;
  requests?: Partial<Record<StoreName, number>>;
  /** The day is closed for ids up to these. */
  closedMarkets?: number;
  closedStoreTasks?: number;
}

export interface RunRow {
  date: string;
  state: 'running' | 'finished' | 'degraded' | 'overdue' | 'missed';
  openedAt: Date;
  finishedAt: Date | null;
  /** The planned work divided by the remaining capacity of the day. */
  pressure: Partial<Record<StoreName, number>>;
  shed: ShedWork;
  leftOver: LeftOver;
  /** The names of the daily tasks that are complete. */
  doneTasks: string[];
}

const columns = sql`
  date, state, opened_at as "openedAt", finished_at as "finishedAt", pressure, shed,
  left_over as "leftOver", done_tasks as "doneTasks"`;

type Narrowed = 'state' | 'pressure' | 'shed' | 'leftOver';

/**
 * The oldest open run up to today. A clock that was ahead may have opened one of a later day, whose
 * work begins on that day.
 */
export async function findOpenRun(db: Db | Tx, today: string): Promise<RunRow | undefined> {
  const { rows } = await sql<Row<'find-open-run', RunRow, Narrowed>>`
      select ${columns} from runs where finished_at is null and date <= ${today}
      order by date limit 1`.execute(db);
  return rows[0];
}

export async function findRun(db: Db | Tx, date: string): Promise<RunRow | undefined> {
  const { rows } = await sql<
    Row<'find-run', RunRow, Narrowed>
  >`select ${columns} from runs where date = ${date}`.execute(db);
  return rows[0];
}

/** The newest run before a day. */
export async function findRunBefore(db: Db | Tx, date: string): Promise<RunRow | undefined> {
  const { rows } = await sql<Row<'find-run-before', RunRow, Narrowed>>`
      /* run-before */ select ${columns} from runs
      where date < ${date} order by date desc limit 1`.execute(db);
  return rows[0];
}

/**
 * True when this call opened the run. There is one for each UTC date, whatever the number of
 * schedulers. One that was opened later than now, by a clock that was ahead, is opened again.
 */
export async function insertRun(
  db: Db | Tx,
  run: { date: string; openedAt: Date; pressure: object; shed: object },
): Promise<boolean> {
  const { rows } = await sql`
    insert into runs (date, opened_at, state, pressure, shed)
    values (${run.date}, ${run.openedAt}, 'running', ${JSON.stringify(run.pressure)},
      ${JSON.stringify(run.shed)})
    on conflict (date) do update set opened_at = excluded.opened_at, state = excluded.state,
      pressure = excluded.pressure, shed = excluded.shed, finished_at = default,
      left_over = default, done_tasks = default
      where runs.opened_at > excluded.opened_at
    returning date`.execute(db);
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

/** Continues a run that was finished later than now, by a clock that was ahead. */
export async function reopenRun(db: Db, date: string, now: Date): Promise<void> {
  await sql`
    update runs set finished_at = null, state = 'running', left_over = default
      where date = ${date} and finished_at > ${now}`.execute(db);
}

export async function completeDailyTask(db: Db, date: string, name: string): Promise<void> {
  await sql`/* complete-daily-task */
    update runs set done_tasks = array_append(done_tasks, ${name}::text)
    where date = ${date} and not ${name}::text = any(done_tasks)`.execute(db);
}

/** True for one transaction at a time, which may close a part of a day. */
export async function tryLockClosing(tx: Tx): Promise<boolean> {
  const { rows } = await sql<
    Row<'try-lock-closing'>
  >`select coalesce(pg_try_advisory_xact_lock(hashtext('close-run')), false) as "isOurs"`.execute(
    tx,
  );
  return rows[0]!.isOurs;
}

export async function updateLeftOver(tx: Tx, date: string, leftOver: LeftOver): Promise<void> {
  await sql`
    update runs set left_over = ${JSON.stringify(leftOver)}::jsonb where date = ${date}`.execute(
    tx,
  );
}
