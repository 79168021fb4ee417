import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

// Backups belong to the instance: everything here runs as the system role.

export interface Lease {
  scheduledFor: Date;
  now: Date;
  leasedUntil: Date;
}

export interface AcquiredBackup {
  id: bigint;
  /** When the attempt before was begun, whose file no row names; null for the first one. */
  earlierAt: Date | null;
}

/**
 * The scheduled backup, if this process is to make it: nobody has begun, the lease of the one that
 * did is over, or it failed and is due again. One that a clock which was ahead has made, before its
 * instant came, is moved to the day before.
 */
export async function acquireBackup(tx: Tx, lease: Lease): Promise<AcquiredBackup | null> {
  const { scheduledFor, now, leasedUntil } = lease;
  await sql`/* move-early-backup */
    update backups set scheduled_for = started_at - interval '1 day'
    where scheduled_for = ${scheduledFor} and state = 'succeeded'
      and started_at > ${now}`.execute(tx);
  const { rows } = await sql<Row<'acquire-backup', AcquiredBackup>>`/* acquire-backup */
    with earlier as (select started_at from backups where scheduled_for = ${scheduledFor})
    insert into backups as b (scheduled_for, state, first_started_at, started_at, leased_until)
    values (${scheduledFor}, 'running', ${now}, ${now}, ${leasedUntil})
    on conflict (scheduled_for) do update set state = 'running', started_at = excluded.started_at,
      leased_until = excluded.leased_until, attempts = b.attempts + 1, finished_at = null,
      retry_at = null
    where b.state = 'running' and b.leased_until <= ${now}
      or b.state = 'failed' and b.retry_at <= ${now}
    returning id, (select started_at from earlier) as "earlierAt"`.execute(tx);
  return rows[0] ?? null;
}

/** A process is making a backup; another one that takes it over has another `startedAt`. */
export interface BackupAttempt {
  id: bigint;
  startedAt: Date;
}

const isHeld = ({ id, startedAt }: BackupAttempt) =>
  sql`id = ${id} and state = 'running' and started_at = ${startedAt}`;

/** False when another process has taken the backup over. */
export async function renewBackupLease(
  db: Db,
  attempt: BackupAttempt,
  leasedUntil: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`/* renew-backup-lease */
    update backups set leased_until = ${leasedUntil} where ${isHeld(attempt)}`.execute(db);
  return numAffectedRows === 1n;
}

export interface FinishedBackup {
  path: string;
  bytes: number;
  rows: number;
  databaseBytes: number;
  seconds: number;
}

/**
 * With `isUploaded` its upload is due from now on. False, and nothing is saved, when another
 * process has taken the backup over.
 */
export async function saveBackup(
  tx: Tx,
  attempt: BackupAttempt,
  finishedAt: Date,
  {
    path,
    bytes,
    rows,
    databaseBytes,
    seconds,
    isUploaded,
  }: FinishedBackup & {
    isUploaded: boolean;
  },
): Promise<boolean> {
  const uploadState = isUploaded ? 'pending' : null;
  const { numAffectedRows } = await sql`/* save-backup */
    update backups set state = 'succeeded', finished_at = ${finishedAt}, leased_until = null,
      error = null, path = ${path}, bytes = ${bytes}, rows = ${rows},
      database_bytes = ${databaseBytes}, seconds = ${seconds}, upload_state = ${uploadState}
    where ${isHeld(attempt)}`.execute(tx);
  return numAffectedRows === 1n;
}

/** False, and nothing is saved, when another process has taken the backup over. */
export async function failBackup(
  tx: Tx,
  attempt: BackupAttempt,
  { now, retryAt, error }: { now: Date; retryAt: Date; error: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`/* fail-backup */
    update backups set state = 'failed', finished_at = ${now}, leased_until = null,
      retry_at = ${retryAt}, error = ${error}
    where ${isHeld(attempt)}`.execute(tx);
  return numAffectedRows === 1n;
}

export interface BackupFileRow {
  id: bigint;
  path: string;
  bytes: bigint;
}

/** The starts, within a span, of attempts that ended with their process: no row has their file. */
export async function listKilledAttempts(
  db: Db,
  { from, to, now }: { from: Date; to: Date; now: Date },
): Promise<Date[]> {
  const { rows } = await sql<Row<'list-killed-backups'>>`/* list-killed-backups */
    select started_at as "startedAt" from backups
    where state = 'running' and leased_until <= ${now}
      and started_at > ${from} and started_at <= ${to}`.execute(db);
  return rows.map(({ startedAt }) => startedAt);
}

/** Files of scheduled backups beyond the newest `keep`. */
export async function listOldBackups(db: Db, keep: number): Promise<BackupFileRow[]> {
  const { rows } = await sql<
    Row<'list-old-backups', BackupFileRow, 'path' | 'bytes'>
  >`/* list-old-backups */
    select id, path, bytes from backups
    where state = 'succeeded' and scheduled_for is not null and deleted_at is null
    order by scheduled_for desc offset ${keep}`.execute(db);
  return rows;
}

/**
 * Notes that a process has not found a file, which another host may have. True, and the row counts
 * as deleted, once none has found it since `missingBefore`.
 */
export async function markBackupMissing(
  db: Db,
  id: bigint,
  { now, missingBefore }: { now: Date; missingBefore: Date },
): Promise<boolean> {
  const { rows } = await sql<Row<'mark-backup-missing'>>`/* mark-backup-missing */
    update backups set missing_since = coalesce(missing_since, ${now}),
      deleted_at = case when missing_since <= ${missingBefore} then ${now}::timestamptz end
    where id = ${id} and deleted_at is null
      and (missing_since is null or missing_since <= ${missingBefore})
    returning deleted_at is not null as "isDeleted"`.execute(db);
  return rows[0]?.isDeleted === true;
}

export async function markBackupDeleted(db: Db, id: bigint, now: Date): Promise<void> {
  await sql`/* mark-backup-deleted */
    update backups set deleted_at = ${now} where id = ${id}`.execute(db);
}

/** The newest first, at most a hundred. */
export async function listBackups(db: Db, now: Date): Promise<Row<'list-backups'>[]> {
  const { rows } = await sql<Row<'list-backups'>>`/* list-backups */
    select id, scheduled_for as "scheduledFor", case when state = 'running'
        and leased_until < ${now} then 'interrupted' else state end as state,
      attempts, started_at as "startedAt", finished_at as "finishedAt", error, path, bytes, rows,
      database_bytes as "databaseBytes", seconds, deleted_at as "deletedAt",
      case when upload_state = 'running' and upload_leased_until < ${now} then 'interrupted'
        else upload_state end as "uploadState", upload_error as "uploadError",
      uploaded_at as "uploadedAt", object_url as "objectUrl",
      object_deleted_at as "objectDeletedAt"
    from backups order by started_at desc, id desc limit 100`.execute(db);
  return rows;
}

export interface LastBackup {
  startedAt: Date;
  bytes: bigint;
  seconds: number;
}

/** The schedule of backups, and the bucket that gets copies of them. */
export interface BackupSchedule {
  /** Minutes after 00:00Z. */
  atMinutes: number;
  /** The number of backups that are kept. */
  keep: number;
  bucket: { address: string; keep: number } | null;
}

/** Writes nothing where the schedule has not changed. */
export async function saveBackupSchedule(db: Db, schedule: BackupSchedule | null): Promise<void> {
  const value = schedule && JSON.stringify(schedule);
  await sql`/* save-backup-schedule */
    update instance set backup_schedule = ${value}::jsonb
    where backup_schedule is distinct from ${value}::jsonb`.execute(db);
}

export interface BackupDates {
  /** As the scheduler has saved it; null without one. */
  schedule: BackupSchedule | null;
  last: LastBackup | null;
  firstScheduledAt: Date | null;
  /** When the newest backup was begun that is in the bucket. */
  lastInBucketAt: Date | null;
  /** The same for any bucket: after a move the next backup is the first one that is due. */
  lastUploadedAt: Date | null;
  /** When the first backup was begun that a bucket was to get. */
  firstUploadAt: Date | null;
}

type LastBackupRow = Omit<BackupDates, 'last'> & {
  [Column in keyof LastBackup]: LastBackup[Column] | null;
};

/**
 * The schedule, the newest good backup and upload, and when the first ones were begun. `address` is
 * that of the bucket, by default the saved one. A clock that was ahead may have dated backups later
 * than now, which are not the newest.
 */
export async function readLastBackup(
  db: Db,
  { now, address }: { now: Date; address: string | null },
): Promise<BackupDates> {
  const isUploaded = sql`upload_state = 'succeeded' and object_deleted_at is null
        and started_at <= ${now}`;
  const { rows } = await sql<Row<'read-last-backup', LastBackupRow, 'schedule'>>`
    /* read-last-backup */
    select b.started_at as "startedAt", b.bytes, b.seconds,
      (select backup_schedule from instance) as schedule,
      (select min(coalesce(first_started_at, scheduled_for)) from backups
        where scheduled_for is not null) as "firstScheduledAt",
      (select max(started_at) from backups where ${isUploaded} and object_url ^@ (coalesce(
        ${address}, (select backup_schedule->'bucket'->>'address' from instance)) || '/')
      ) as "lastInBucketAt",
      (select max(started_at) from backups where ${isUploaded}) as "lastUploadedAt",
      (select min(started_at) from backups where upload_state is not null) as "firstUploadAt"
    from (select 1) as one
    left join lateral (select started_at, bytes, seconds from backups
      where state = 'succeeded' and started_at <= ${now}
      order by started_at desc limit 1) b on true`.execute(db);
  const { startedAt, bytes, seconds, ...dates } = rows[0]!;
  const last =
    startedAt && bytes !== null && seconds !== null ? { startedAt, bytes, seconds } : null;
  return { last, ...dates };
}
