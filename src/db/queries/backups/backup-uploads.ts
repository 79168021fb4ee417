import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

// Copies of backups in S3-compatible storage. Everything here runs as the system role.

export interface DueUpload {
  id: bigint;
  path: string;
  bytes: bigint;
}

/**
 * Good backups whose file has not been deleted and that a bucket is to get: nobody has begun, the
 * lease of the one that did is over, or it failed and is due again. The newest first.
 */
export async function listDueUploads(db: Db, now: Date): Promise<DueUpload[]> {
  const { rows } = await sql<
    Row<'list-due-uploads', DueUpload, 'path' | 'bytes'>
  >`/* list-due-uploads */
    select id, path, bytes from backups
    where state = 'succeeded' and deleted_at is null and (upload_state = 'pending'
      or upload_state = 'running' and upload_leased_until <= ${now}
      or upload_state = 'failed' and upload_retry_at <= ${now})
    order by started_at desc limit 20`.execute(db);
  return rows;
}

/** The number of this attempt; null when another process was faster. */
export async function acquireUpload(
  tx: Tx,
  id: bigint,
  { now, leasedUntil }: { now: Date; leasedUntil: Date },
): Promise<number | null> {
  const { rows } = await sql<Row<'acquire-upload'>>`/* acquire-upload */
    update backups set upload_state = 'running', upload_leased_until = ${leasedUntil},
      upload_attempts = upload_attempts + 1, upload_retry_at = null
    where id = ${id} and (upload_state = 'pending'
      or upload_state = 'running' and upload_leased_until <= ${now}
      or upload_state = 'failed' and upload_retry_at <= ${now})
    returning upload_attempts as attempt`.execute(tx);
  return rows[0]?.attempt ?? null;
}

/** A process is uploading a backup; another one that takes it over has another `attempt`. */
export interface UploadAttempt {
  id: bigint;
  attempt: number;
}

const isHeld = ({ id, attempt }: UploadAttempt) =>
  sql`id = ${id} and upload_state = 'running' and upload_attempts = ${attempt}`;

/** False when another process has taken the upload over. */
export async function renewUploadLease(
  db: Db,
  attempt: UploadAttempt,
  leasedUntil: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`/* renew-upload-lease */
    update backups set upload_leased_until = ${leasedUntil} where ${isHeld(attempt)}`.execute(db);
  return numAffectedRows === 1n;
}

export interface FinishedUpload {
  url: string;
  sha256: string;
  seconds: number;
}

/** False, and nothing is saved, when another process has taken the upload over. */
export async function saveUpload(
  tx: Tx,
  attempt: UploadAttempt,
  uploadedAt: Date,
  { url, sha256, seconds }: FinishedUpload,
): Promise<boolean> {
  const { numAffectedRows } = await sql`/* save-upload */
    update backups set upload_state = 'succeeded', upload_leased_until = null,
      upload_error = null, uploaded_at = ${uploadedAt}, object_url = ${url}, sha256 = ${sha256},
      upload_seconds = ${seconds}
    where ${isHeld(attempt)}`.execute(tx);
  return numAffectedRows === 1n;
}

/** False, and nothing is saved, when another process has taken the upload over. */
export async function failUpload(
  tx: Tx,
  attempt: UploadAttempt,
  { retryAt, error }: { retryAt: Date; error: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`/* fail-upload */
    update backups set upload_state = 'failed', upload_leased_until = null,
      upload_retry_at = ${retryAt}, upload_error = ${error}
    where ${isHeld(attempt)}`.execute(tx);
  return numAffectedRows === 1n;
}

export interface OldObject {
  id: bigint;
  objectUrl: string;
  sha256: string;
}

/** Objects below this address of scheduled backups beyond the newest `keep`. */
export async function listOldObjects(
  db: Db,
  { address, keep }: { address: string; keep: number },
): Promise<OldObject[]> {
  const { rows } = await sql<
    Row<'list-old-objects', OldObject, 'objectUrl' | 'sha256'>
  >`/* list-old-objects */
    select id, object_url as "objectUrl", sha256 from backups
    where upload_state = 'succeeded' and scheduled_for is not null and object_deleted_at is null
      and object_url ^@ ${`${address}/`}
    order by scheduled_for desc offset ${keep}`.execute(db);
  return rows;
}

export async function markObjectDeleted(db: Db, id: bigint, now: Date): Promise<void> {
  await sql`/* mark-object-deleted */
    update backups set object_deleted_at = ${now} where id = ${id}`.execute(db);
}
