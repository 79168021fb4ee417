import { findNewestBackup } from '#backups/backup-paths.ts';
import type { InstanceFacts } from '#db/doctor/read-instance-facts.ts';
import { isBackupOverdue, isUploadOverdue } from '#domain/scheduling/backups/backup-schedule.ts';
import { failure, ok, skipped, warning, type Finding } from '../finding.ts';
import type { Readings } from '../readings.ts';

const hourMs = 3_600_000;
const oldAfterMs = 27 * hourMs;
const uploadOne =
  'Run toprung upload with the newest file of BACKUP_DIR: it says what the storage refuses.';
const makeOne = 'Run toprung backup, and read the reason in GET /admin/backups and in the log.';

/** The age of the newest good backup: from the database, or from the files while it is stopped. */
export async function checkBackups(readings: Readings): Promise<Finding[]> {
  const { config, database } = readings;
  if (database.state === 'none') return [skipped('backups', 'There is nothing to back up yet.')];
  const backup = database.state === 'running' ? (database.instance?.backup ?? null) : null;
  if (backup !== null) return [checkRows(readings, backup), ...checkUploads(readings, backup)];
  if (config.BACKUP_DIR === null)
    return [skipped('backups', 'The database is needed to find the newest backup.')];
  return [await checkFiles(config.BACKUP_DIR, readings.now)];
}

function checkRows(
  { config, now }: Readings,
  { last, firstScheduledAt, schedule: saved }: NonNullable<InstanceFacts['backup']>,
): Finding {
  // Where the roles have settings of their own, that of the scheduler counts.
  const schedule = config.BACKUP_DIR === null ? saved : { atMinutes: config.BACKUP_AT };
  const lastAt = last?.startedAt ?? null;
  if (isBackupOverdue(schedule, { lastAt, firstScheduledAt }, now))
    return failure('backups', `A scheduled backup is missing; ${describe(lastAt, now)}`, makeOne);
  const isOld = lastAt === null || now.getTime() - lastAt.getTime() > oldAfterMs;
  if (schedule === null && isOld)
    return warning(
      'backups',
      `No backups are scheduled, and ${describe(lastAt, now)}`,
      'Set BACKUP_DIR to a directory on another disk.',
    );
  return ok('backups', capitalize(describe(lastAt, now)));
}

/** Nothing without a bucket. */
function checkUploads(
  { config, now }: Readings,
  backup: NonNullable<InstanceFacts['backup']>,
): Finding[] {
  const { BACKUP_S3_URL: address, BACKUP_DIR: folder } = config;
  if (address === null) return [];
  const { lastInBucketAt: lastAt } = backup;
  const age = describeAge(lastAt, now);
  const message = `The newest backup in ${address} is ${age ?? 'missing: none was uploaded yet'}.`;
  if (isUploadOverdue({ address }, backup, now)) return [failure('backups', message, uploadOne)];
  const isScheduled = folder !== null || backup.schedule !== null;
  // The first upload to a new bucket is not overdue until the next backup is.
  const isOld = lastAt === null || now.getTime() - lastAt.getTime() > oldAfterMs;
  if (!isScheduled && isOld)
    return [warning('backups', message, 'Set BACKUP_DIR: only then are backups scheduled.')];
  return [isOld ? warning('backups', message, uploadOne) : ok('backups', message)];
}

async function checkFiles(folder: string, now: Date): Promise<Finding> {
  const newest = await findNewestBackup(folder, now);
  const message = capitalize(describe(newest, now));
  return newest !== null && now.getTime() - newest.getTime() <= oldAfterMs
    ? ok('backups', message)
    : warning('backups', message, 'Start Toprung, which makes the one that is due.');
}

function describe(lastAt: Date | null, now: Date): string {
  const age = describeAge(lastAt, now);
  return age === null ? 'no backup has been made yet.' : `the newest good backup is ${age}.`;
}

function describeAge(lastAt: Date | null, now: Date): string | null {
  if (lastAt === null) return null;
  const hours = Math.max(0, Math.floor((now.getTime() - lastAt.getTime()) / hourMs));
  return `of ${lastAt.toISOString()}, ${hours} hours ago`;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
