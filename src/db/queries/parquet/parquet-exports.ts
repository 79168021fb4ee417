import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';

// Runs belong to the instance: everything here runs as the system role.

/**
 * True if this process is to write the files: nobody has begun, the lease of the one that did is
 * over, or it failed and is due again.
 */
export async function acquireParquetExport(
  tx: Tx,
  { scheduledFor, now, leasedUntil }: { scheduledFor: Date; now: Date; leasedUntil: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`/* acquire-parquet-export */
    insert into parquet_exports as p (scheduled_for, state, started_at, leased_until)
    values (${scheduledFor}, 'running', ${now}, ${leasedUntil})
    on conflict (scheduled_for) do update set state = 'running', started_at = excluded.started_at,
      leased_until = excluded.leased_until, attempts = p.attempts + 1, finished_at = null,
      retry_at = null
    where p.state = 'running' and p.leased_until <= ${now}
      or p.state = 'failed' and p.retry_at <= ${now}`.execute(tx);
  return numAffectedRows === 1n;
}

/** A process is writing the files; another one that takes it over has another `startedAt`. */
export interface ParquetAttempt {
  scheduledFor: Date;
  startedAt: Date;
}

const isHeld = ({ scheduledFor, startedAt }: ParquetAttempt) =>
  sql`scheduled_for = ${scheduledFor} and state = 'running' and started_at = ${startedAt}`;

/** False when another process has taken the run over. */
export async function renewParquetLease(
  db: Db,
  attempt: ParquetAttempt,
  leasedUntil: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`/* renew-parquet-lease */
    update parquet_exports set leased_until = ${leasedUntil}
    where ${isHeld(attempt)}`.execute(db);
  return numAffectedRows === 1n;
}

/** False, and nothing is saved, when another process has taken the run over. */
export async function saveParquetExport(
  tx: Tx,
  attempt: ParquetAttempt,
  finishedAt: Date,
  { files, written, removed, rows }: Record<'files' | 'written' | 'removed' | 'rows', number>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`/* save-parquet-export */
    update parquet_exports set state = 'succeeded', finished_at = ${finishedAt},
      leased_until = null, error = null, files = ${files}, written = ${written},
      removed = ${removed}, rows = ${rows}
    where ${isHeld(attempt)}`.execute(tx);
  return numAffectedRows === 1n;
}

/** False, and nothing is saved, when another process has taken the run over. */
export async function failParquetExport(
  tx: Tx,
  attempt: ParquetAttempt,
  { now, retryAt, error }: { now: Date; retryAt: Date; error: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`/* fail-parquet-export */
    update parquet_exports set state = 'failed', finished_at = ${now}, leased_until = null,
      retry_at = ${retryAt}, error = ${error}
    where ${isHeld(attempt)}`.execute(tx);
  return numAffectedRows === 1n;
}
