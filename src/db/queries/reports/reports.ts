import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface ReportRow {
  id: number;
  appId: number;
  name: string;
  country: string | null;
  device: string | null;
  days: number;
  hasPassword: boolean;
  /** A user; null once the account is deleted. */
  createdBy: number | null;
  createdAt: Date;
  expiresAt: Date | null;
  lastOpenedAt: Date | null;
}

/** Reports that did not expire, newest first. */
export async function listReports(
  tx: Tx,
  workspaceId: number,
  { appId, now }: { appId: number | null; now: Date },
): Promise<ReportRow[]> {
  const { rows } = await sql<Row<'list-reports', ReportRow>>`/* list-reports */
    select id, app_id as "appId", name, country, device, days,
      password_hash is not null as "hasPassword", created_by as "createdBy",
      created_at as "createdAt", expires_at as "expiresAt", last_opened_at as "lastOpenedAt"
    from reports
    where workspace_id = ${workspaceId} and (${appId}::int is null or app_id = ${appId})
      and (expires_at is null or expires_at > ${now})
    order by id desc`.execute(tx);
  return rows;
}

/** Serializes new reports of a workspace, deletes its expired ones, and counts the others. */
export async function countReports(tx: Tx, workspaceId: number, now: Date): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('reports'), ${workspaceId}::int)`.execute(tx);
  await sql`
    delete from reports where workspace_id = ${workspaceId} and expires_at <= ${now}`.execute(tx);
  const { rows } = await sql<Row<'count-reports'>>`/* count-reports */
    select count(*)::int as count from reports where workspace_id = ${workspaceId}`.execute(tx);
  return rows[0]!.count;
}

export interface NewReport {
  appId: number;
  name: string;
  country: string | null;
  device: string | null;
  days: number;
  secretHash: Buffer;
  passwordHash: string | null;
  createdBy: number;
  createdAt: Date;
  expiresAt: Date | null;
}

export async function insertReport(
  tx: Tx,
  workspaceId: number,
  report: NewReport,
): Promise<number> {
  const { appId, name, country, device, days, secretHash, passwordHash, createdBy } = report;
  const { rows } = await sql<Row<'insert-report'>>`/* insert-report */
    insert into reports (workspace_id, app_id, name, country, device, days, secret_hash,
      password_hash, created_by, created_at, expires_at)
    values (${workspaceId}, ${appId}, ${name}, ${country}, ${device}, ${days}, ${secretHash},
      ${passwordHash}, ${createdBy}, ${report.createdAt}, ${report.expiresAt})
    returning id`.execute(tx);
  return rows[0]!.id;
}

/** Returns its name; undefined when there is none. */
export async function deleteReport(
  tx: Tx,
  workspaceId: number,
  id: number,
): Promise<string | undefined> {
  const { rows } = await sql<Row<'delete-report'>>`/* delete-report */
    delete from reports where workspace_id = ${workspaceId} and id = ${id}
    returning name`.execute(tx);
  return rows[0]?.name;
}

/** Deletes the reports of a person in every workspace (system role). */
export async function deleteReportsBy(
  tx: Tx,
  userId: number,
): Promise<{ id: number; workspaceId: number; name: string }[]> {
  const { rows } = await sql<Row<'delete-reports-by'>>`
    delete from reports where created_by = ${userId}
    returning id, workspace_id as "workspaceId", name`.execute(tx);
  return rows.toSorted((a, b) => a.id - b.id);
}

export interface SharedReport {
  id: number;
  workspaceId: number;
  workspaceState: 'trial' | 'live' | 'lapsed' | 'suspended';
  appId: number;
  name: string;
  country: string | null;
  device: string | null;
  days: number;
  expiresAt: Date | null;
  passwordHash: string | null;
}

/** A report in any workspace: the secret is all that its holder has. System role. */
export async function findSharedReport(
  db: Db | Tx,
  secretHash: Buffer,
  now: Date,
): Promise<SharedReport | undefined> {
  const { rows } = await sql<Row<'find-shared-report', SharedReport, 'workspaceState'>>`
    /* find-shared-report */
    select r.id, r.workspace_id as "workspaceId", w.state as "workspaceState",
      r.app_id as "appId", r.name, r.country, r.device, r.days, r.expires_at as "expiresAt",
      r.password_hash as "passwordHash"
    from reports r join workspaces w on w.id = r.workspace_id
    where r.secret_hash = ${secretHash}
      and (r.expires_at is null or r.expires_at > ${now})`.execute(db);
  return rows[0];
}

/** Once a minute at most, so that a report that many read costs no write each time. */
export async function markReportOpened(db: Db, id: number, now: Date): Promise<void> {
  await sql`
    update reports set last_opened_at = ${now} where id = ${id}
      and (last_opened_at is null or last_opened_at < ${now}::timestamptz - interval '1 minute')
    `.execute(db);
}
