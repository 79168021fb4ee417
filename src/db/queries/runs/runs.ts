import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

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
