import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface SourceFieldRow {
  store: StoreName;
  source: string;
  field: string;
}

export interface FieldDrift extends SourceFieldRow {
  beganAt: Date;
  endedAt: Date | null;
}

/** Returns those that no other process has begun. */
export async function beginDrifts(
  db: Db,
  fields: readonly SourceFieldRow[],
  now: Date,
): Promise<SourceFieldRow[]> {
  const { rows } = await sql<Row<'begin-drifts', SourceFieldRow, 'store'>>`/* begin-drifts */
    insert into field_drifts (store, source, field, began_at)
    select store, source, field, ${now} from ${unnestFields(fields)}
    order by store, source, field
    on conflict do nothing returning store, source, field`.execute(db);
  return rows;
}

/** Returns those that no other process has ended. */
export async function endDrifts(
  db: Db,
  fields: readonly SourceFieldRow[],
  now: Date,
): Promise<SourceFieldRow[]> {
  const { rows } = await sql<Row<'end-drifts', SourceFieldRow, 'store'>>`/* end-drifts */
    update field_drifts d set ended_at = greatest(d.began_at, ${now})
    from ${unnestFields(fields)}
    where d.ended_at is null
      and (d.store, d.source, d.field) = (of.store, of.source, of.field)
    returning d.store, d.source, d.field`.execute(db);
  return rows;
}

/** Ends the drifts of fields that had a whole day with values and without a lost one. */
export async function endDriftsWithoutLoss(
  db: Db,
  day: string,
  now: Date,
): Promise<SourceFieldRow[]> {
  const { rows } = await sql<
    Row<'end-drifts-without-loss', SourceFieldRow, 'store'>
  >`/* end-drifts-without-loss */
    update field_drifts d set ended_at = ${now}
    from field_days c
    where d.ended_at is null and (d.began_at at time zone 'UTC')::date < ${day}::date
      and (c.store, c.source, c.field) = (d.store, d.source, d.field)
      and c.on_date = ${day}::date and c.read > 0 and c.lost = 0
    returning d.store, d.source, d.field`.execute(db);
  return rows;
}

/** Ends drifts that began before an instant: by now they are how the store is. */
export async function acceptDrifts(db: Db, before: Date, now: Date): Promise<SourceFieldRow[]> {
  const { rows } = await sql<Row<'accept-drifts', SourceFieldRow, 'store'>>`/* accept-drifts */
    update field_drifts set ended_at = ${now}, is_accepted = true
    where ended_at is null and began_at < ${before}
    returning store, source, field`.execute(db);
  return rows;
}

export async function listOpenDrifts(db: Db): Promise<FieldDrift[]> {
  const { rows } = await sql<Row<'list-open-drifts', FieldDrift, 'store'>>`/* list-open-drifts */
    select store, source, field, began_at as "beganAt", ended_at as "endedAt" from field_drifts
    where ended_at is null order by store, source, field`.execute(db);
  return rows;
}

/** The drifts of some days, with each day. */
export async function listDriftDays(
  db: Db | Tx,
  days: readonly string[],
): Promise<(FieldDrift & { date: string })[]> {
  const { rows } = await sql<
    Row<'list-drift-days', FieldDrift & { date: string }, 'store' | 'date'>
  >`/* list-drift-days */
    select asked.day as date, store, source, field, began_at as "beganAt", ended_at as "endedAt"
    from unnest(${[...days]}::date[]) as asked(day)
    join field_drifts on (began_at at time zone 'UTC')::date <= asked.day
      and (ended_at is null or (ended_at at time zone 'UTC')::date >= asked.day)
    order by store, source, field, began_at`.execute(db);
  return rows;
}

function unnestFields(fields: readonly SourceFieldRow[]) {
  const column = <Key extends keyof SourceFieldRow>(key: Key) => fields.map((of) => of[key]);
  return sql`unnest(${column('store')}::text[], ${column('source')}::text[],
    ${column('field')}::text[]) as of(store, source, field)`;
}
