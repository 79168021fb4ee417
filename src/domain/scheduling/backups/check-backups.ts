import { saveBackupSchedule } from '#db/queries/backups/backups.ts';
import type { Services } from '#domain/base/context.ts';
import { scheduleOf } from './backup-schedule.ts';
import { getBackupState } from './get-backup-state.ts';

/**
 * Saves the schedule for processes that make no backups, and logs for as long as a scheduled backup
 * or its upload is missing.
 */
export async function checkBackups(services: Services): Promise<void> {
  await saveBackupSchedule(services.systemDb, scheduleOf(services.backups));
  const { lastAt, isOverdue, upload } = await getBackupState(services);
  if (isOverdue)
    services.log.error(
      { alert: 'backup.overdue', lastAt: lastAt?.toISOString() ?? null },
      'the last good backup is older than a day: see GET /admin/backups and BACKUP_DIR',
    );
  if (upload?.isOverdue)
    services.log.error(
      { alert: 'backup.upload.overdue', lastAt: upload.lastAt?.toISOString() ?? null },
      'the last backup in the bucket is older than a day: see GET /admin/backups and BACKUP_S3_URL',
    );
}
