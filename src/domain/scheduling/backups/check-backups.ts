import type { Services } from '#domain/base/context.ts';
import { getBackupState } from './get-backup-state.ts';

/** Logs for as long as a scheduled backup is missing. */
export async function checkBackups(services: Services): Promise<void> {
  const { lastAt, isOverdue } = await getBackupState(services);
  if (!isOverdue) return;
  services.log.error(
    { alert: 'backup.overdue', lastAt: lastAt?.toISOString() ?? null },
    'the last good backup is older than a day: see GET /admin/backups and BACKUP_DIR',
  );
}
