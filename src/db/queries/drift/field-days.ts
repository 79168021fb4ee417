import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface FieldDay {
  onDate: string;
  store: StoreName;
  source: string;
  field: string;
  read: number;
  /** Includes the lost ones. */
  missing: number;
  lost: number;
}

/** Adds counts to those of other processes; all use one order, so that none waits for another. */
export async function addFieldCounts(db: Db, counts: readonly FieldDay[]): Promise<void> {
  const column = <Key extends keyof FieldDay>(key: Key) => counts.map((count) => count[key]);
  await sql`/* add-field-counts */
    insert into field_days as d (on_date, store, source, field, read, missing, lost)
    select * from unnest(${column('onDate')}::date[], ${column('store')}::text[],
      ${column('source')}::text[], ${column('field')}::text[], ${column('read')}::int[],
      ${column('missing')}::int[], ${column('lost')}::int[])
      as c(on_date, store, source, field, read, missing, lost)
    order by on_date, store, source, field
    on conflict (on_date, store, source, field) do update set read = d.read + excluded.read,
      missing = d.missing + excluded.missing, lost = d.lost + excluded.lost`.execute(db);
}

export interface FieldHistoryRow {
  store: StoreName;
  source: string;
  field: string;
  days: number;
  readings: number;
  lost: number;
}

/**
 * The newest days of each field before a day on which its value was expected, without those of a
 * drift. Days of an accepted drift count.
 */
export async function listFieldHistories(
  db: Db,
  before: string,
  { days, within }: { days: number; within: number },
): Promise<FieldHistoryRow[]> {
  const { rows } = await sql<
    Row<'list-field-histories', FieldHistoryRow, 'store'>
  >`/* list-field-histories */
    with honest as (
      select d.*, row_number() over (partition by store, source, field order by on_date desc) as age
      from field_days d
      where d.on_date < ${before}::date and d.on_date >= ${before}::date - ${within}::int
        and d.read + d.lost > 0
        and not exists (select from field_drifts f
          where (f.store, f.source, f.field) = (d.store, d.source, d.field) and not f.is_accepted
            and d.on_date >= (f.began_at at time zone 'UTC')::date
            and (f.ended_at is null or d.on_date <= (f.ended_at at time zone 'UTC')::date))
    )
    select store, source, field, count(*)::int as days,
      coalesce(sum(read + lost), 0)::int as readings, coalesce(sum(lost), 0)::int as lost
    from honest where age <= ${days} group by store, source, field`.execute(db);
  return rows;
}

export async function listFieldDays(db: Db | Tx, days: readonly string[]): Promise<FieldDay[]> {
  const { rows } = await sql<Row<'list-field-days', FieldDay, 'store'>>`/* list-field-days */
    select on_date as "onDate", store, source, field, read, missing, lost from field_days
    where on_date = any(${[...days]}::date[]) order by store, source, field`.execute(db);
  return rows;
}

export async function findNewestFieldDay(db: Db): Promise<string | null> {
  const { rows } = await sql<Row<'newest-field-day'>>`/* newest-field-day */
    select max(on_date) as day from field_days`.execute(db);
  return rows[0]?.day ?? null;
}

/** Deletes counts after 400 days, and drifts that ended so long ago. Returns how many drifts. */
export async function purgeFieldDays(tx: Tx, now: Date): Promise<number> {
  await sql`
    delete from field_days
    where on_date < (${now}::timestamptz at time zone 'UTC')::date - 400`.execute(tx);
  const { numAffectedRows } = await sql`
    delete from field_drifts
    where (ended_at at time zone 'UTC')::date
      < (${now}::timestamptz at time zone 'UTC')::date - 400`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
