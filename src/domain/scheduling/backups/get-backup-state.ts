import { readLastBackup } from '#db/queries/backups/backups.ts';
import type { Services } from '#domain/base/context.ts';
import { isBackupOverdue } from './backup-schedule.ts';

export interface BackupState {
  /** The moment of the newest good backup. */
  lastAt: Date | null;
  bytes: number | null;
  seconds: number | null;
  isOverdue: boolean;
}

/** The newest good backup, scheduled or by command, and whether a scheduled one is missing. */
export async function getBackupState({
  systemDb,
  backups,
  clock,
}: Pick<Services, 'systemDb' | 'backups' | 'clock'>): Promise<BackupState> {
  const { last, firstScheduledAt } = await readLastBackup(systemDb);
  const lastAt = last?.startedAt ?? null;
  return {
    lastAt,
    bytes: last === null ? null : Number(last.bytes),
    seconds: last?.seconds ?? null,
    isOverdue: isBackupOverdue(backups, { lastAt, firstScheduledAt }, clock.now()),
  };
}
