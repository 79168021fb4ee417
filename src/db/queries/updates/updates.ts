import { sql } from 'kysely';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/**
 * True for the one process that may ask now, when nobody has since `askedBefore`. A request later
 * than now is that of a clock that was ahead.
 */
export async function claimUpdateCheck(
  db: Db,
  { now, askedBefore }: { now: Date; askedBefore: Date },
): Promise<boolean> {
  const { rows } = await sql<Row<'claim-update-check'>>`/* claim-update-check */
    update instance set newest_version_asked_at = ${now}
    where newest_version_asked_at is null or newest_version_asked_at <= ${askedBefore}
      or newest_version_asked_at > ${now}
    returning true as claimed`.execute(db);
  return rows.length > 0;
}

export async function saveNewestVersion(db: Db, version: string): Promise<void> {
  await sql`/* save-newest-version */
    update instance set newest_version = ${version}`.execute(db);
}

export interface NewestVersion {
  version: string | null;
  askedAt: Date | null;
}

export async function readNewestVersion(db: Db): Promise<NewestVersion> {
  const { rows } = await sql<Row<'read-newest-version', NewestVersion>>`/* read-newest-version */
    select newest_version as version, newest_version_asked_at as "askedAt"
    from instance`.execute(db);
  return rows[0]!;
}
