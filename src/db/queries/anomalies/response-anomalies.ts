import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface NewAnomaly {
  store: StoreName;
  provider: string;
  date: string;
  detectedAt: Date;
  unconfirmedFrom: Date;
  compared: number;
  short: number;
}

/** False while an anomaly of the provider is open. */
export async function insertAnomaly(tx: Tx, anomaly: NewAnomaly): Promise<boolean> {
  const { rows } = await sql<Row<'insert-anomaly'>>`
    insert into response_anomalies (store, provider, on_date, detected_at, unconfirmed_from,
      compared, short)
    values (${anomaly.store}, ${anomaly.provider}, ${anomaly.date}, ${anomaly.detectedAt},
      ${anomaly.unconfirmedFrom}, ${anomaly.compared}, ${anomaly.short})
    on conflict (store, provider) where recovered_at is null do nothing
    returning id`.execute(tx);
  return rows.length > 0;
}

export async function hasOpenAnomaly(
  db: Db,
  { store, provider }: { store: StoreName; provider: string },
): Promise<boolean> {
  const { rows } = await sql<Row<'has-open-anomaly'>>`
    select exists (select from response_anomalies where store = ${store}
      and provider = ${provider} and recovered_at is null) as "isOpen"`.execute(db);
  return rows[0]!.isOpen;
}

/** False while implausible checks of the anomaly are still to be retracted. */
export async function closeAnomaly(
  tx: Tx,
  { store, provider, at }: { store: StoreName; provider: string; at: Date },
): Promise<boolean> {
  const { rows } = await sql<Row<'close-anomaly'>>`
    with closed as (
      update response_anomalies set recovered_at = ${at}
      where store = ${store} and provider = ${provider} and recovered_at is null and is_retracted
    )
    select exists (select from response_anomalies where store = ${store}
      and provider = ${provider} and recovered_at is null and not is_retracted) as "isOpen"
  `.execute(tx);
  return !rows[0]!.isOpen;
}

export interface AnomalyToRetract {
  id: number;
  store: StoreName;
  provider: string;
  date: string;
  unconfirmedFrom: Date;
}

/** Anomalies whose checks are to be retracted, oldest first. */
export async function listAnomaliesToRetract(db: Db): Promise<AnomalyToRetract[]> {
  const { rows } = await sql<Row<'list-anomalies-to-retract', AnomalyToRetract, 'store'>>`
    select id, store, provider, on_date as date, unconfirmed_from as "unconfirmedFrom"
    from response_anomalies where not is_retracted order by id`.execute(db);
  return rows;
}

export async function addRetracted(
  tx: Tx,
  { id, count, isDone }: { id: number; count: number; isDone: boolean },
): Promise<void> {
  await sql`
    update response_anomalies set retracted = retracted + ${count}, is_retracted = ${isDone}
    where id = ${id}`.execute(tx);
}

export interface AnomalyDay {
  date: string;
  store: StoreName;
  provider: string;
  detectedAt: Date;
  recoveredAt: Date | null;
  compared: number;
  short: number;
  retracted: number;
}

/** The anomalies of these days, oldest first. */
export async function listAnomalyDays(tx: Tx, days: string[]): Promise<AnomalyDay[]> {
  const { rows } = await sql<Row<'list-anomaly-days', AnomalyDay, 'store'>>`
    select on_date as date, store, provider, detected_at as "detectedAt",
      recovered_at as "recoveredAt", compared, short, retracted
    from response_anomalies where on_date = any(${days}::date[]) order by id`.execute(tx);
  return rows;
}
