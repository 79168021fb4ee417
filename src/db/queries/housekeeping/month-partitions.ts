import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** Tables whose rows are in monthly partitions. */
export type MonthlyTable = 'serps' | 'serp_months' | 'score_provenance';

const monthsAhead = 2;
const rowsAtOnce = 2_000;

/**
 * Creates the missing partitions of a day's month and of the two months after it. Returns how many.
 * A table that is busy, or that has rows of the month already, stays as it is.
 */
export async function createMonthPartitions(db: Db, day: string): Promise<number> {
  const { rows } = await sql<Row<'create-month-partitions'>>`/* create-month-partitions */
    select create_month_partitions(${day}::date, ${monthsAhead}::int) as created`.execute(db);
  return rows[0]!.created ?? 0;
}

/**
 * Drops the partitions whose days are all before `before`. Returns how many. Throws when the table
 * is busy for longer than 0.4 s.
 */
export async function dropMonthPartitions(
  db: Db,
  table: MonthlyTable,
  before: string,
): Promise<number> {
  const { rows } = await sql<Row<'drop-month-partitions'>>`/* drop-month-partitions */
    select drop_month_partitions(${table}, ${before}::date) as dropped`.execute(db);
  return rows[0]!.dropped ?? 0;
}

/**
 * Drops the partitions without rows whose days are all before `before`. Returns how many. Throws
 * when the table is busy for longer than 0.4 s.
 */
export async function dropEmptyPartitions(
  db: Db,
  table: MonthlyTable,
  before: string,
): Promise<number> {
  const { rows } = await sql<Row<'drop-empty-partitions'>>`/* drop-empty-partitions */
    select drop_empty_partitions(${table}, ${before}::date) as dropped`.execute(db);
  return rows[0]!.dropped ?? 0;
}

/**
 * Deletes rows from before `before` that are in no month's partition. Returns how many, at most two
 * thousand: the newest first, because later rows may be differences from earlier ones.
 */
export async function deleteOutsidePartitions(
  db: Db,
  table: MonthlyTable,
  before: string,
): Promise<number> {
  const { numAffectedRows } = await deletions[table](before).execute(db);
  return Number(numAffectedRows ?? 0);
}

const deletions: Record<MonthlyTable, (before: string) => RawBuilder<unknown>> = {
  serps: (before) => sql`/* delete-rest-serps */
    delete from serps_rest where (market_id, on_date) in (
      select market_id, on_date from serps_rest where on_date < ${before}::date
      order by on_date desc limit ${rowsAtOnce})`,
  serp_months: (before) => sql`/* delete-rest-serp-months */
    delete from serp_months_rest where (market_id, month) in (
      select market_id, month from serp_months_rest where month < ${before}::date
      order by month desc limit ${rowsAtOnce})`,
  score_provenance: (before) => sql`/* delete-rest-provenance */
    delete from score_provenance_rest where (scored_on, score_id) in (
      select scored_on, score_id from score_provenance_rest where scored_on < ${before}::date
      order by scored_on desc limit ${rowsAtOnce})`,
};
