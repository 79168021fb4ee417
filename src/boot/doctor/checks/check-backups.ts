import { findNewestBackup } from '#backups/backup-paths.ts';
import type { InstanceFacts } from '#db/doctor/read-instance-facts.ts';
import { isBackupOverdue } from '#domain/scheduling/backups/backup-schedule.ts';
import { failure, ok, skipped, warning, type Finding } from '../finding.ts';
import type { Readings } from '../readings.ts';

const hourMs = 3_600_000;
const oldAfterMs = 27 * hourMs;
const makeOne = 'Run toprung backup, and read the reason in GET /admin/backups and in the log.';

/** The age of the newest good backup: from the database, or from the files while it is stopped. */
export async function checkBackups(readings: Readings): Promise<Finding[]> {
  const { config, database } = readings;
  if (database.state === 'none') return [skipped('backups', 'There is nothing to back up yet.')];
  const backup = database.state === 'running' ? (database.instance?.backup ?? null) : null;
  if (backup !== null) return [checkRows(readings, backup)];
  if (config.BACKUP_DIR === null)
    return [skipped('backups', 'The database is needed to find the newest backup.')];
  return [await checkFiles(config.BACKUP_DIR, readings.now)];
}

function checkRows(
  { config, now }: Readings,
  { last, firstScheduledAt }: NonNullable<InstanceFacts['backup']>,
): Finding {
  const hasSchedule = config.BACKUP_DIR !== null;
  const lastAt = last?.startedAt ?? null;
  const schedule = hasSchedule ? { atMinutes: config.BACKUP_AT } : null;
  if (isBackupOverdue(schedule, { lastAt, firstScheduledAt }, now))
    return failure('backups', `A scheduled backup is missing; ${describe(lastAt, now)}`, makeOne);
  const isOld = lastAt === null || now.getTime() - lastAt.getTime() > oldAfterMs;
  if (!hasSchedule && isOld)
    return warning(
      'backups',
      `No backups are scheduled, and ${describe(lastAt, now)}`,
      'Set BACKUP_DIR to a directory on another disk.',
    );
  return ok('backups', capitalize(describe(lastAt, now)));
}

async function checkFiles(folder: string, now: Date): Promise<Finding> {
  const newest = await findNewestBackup(folder);
  const message = capitalize(describe(newest, now));
  return newest !== null && now.getTime() - newest.getTime() <= oldAfterMs
    ? ok('backups', message)
    : warning('backups', message, 'Start Toprung, which makes the one that is due.');
}

function describe(lastAt: Date | null, now: Date): string {
  if (lastAt === null) return 'no backup has been made yet.';
  const hours = Math.max(0, Math.floor((now.getTime() - lastAt.getTime()) / hourMs));
  return `the newest good backup is of ${lastAt.toISOString()}, ${hours} hours ago.`;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
