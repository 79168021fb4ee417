import { readLastBackup } from '#db/queries/backups/backups.ts';
import type { Services } from '#domain/base/context.ts';
import { isBackupOverdue, isUploadOverdue } from './backup-schedule.ts';

export interface BackupState {
  /** The moment of the newest good backup. */
  lastAt: Date | null;
  bytes: number | null;
  seconds: number | null;
  isOverdue: boolean;
  /** Null without a bucket. */
  upload: {
    /** The moment of the newest backup that is in the bucket. */
    lastAt: Date | null;
    isOverdue: boolean;
  } | null;
}

/** The newest good backup, scheduled or by command, and whether a scheduled one is missing. */
export async function getBackupState({
  systemDb,
  backups,
  clock,
}: Pick<Services, 'systemDb' | 'backups' | 'clock'>): Promise<BackupState> {
  const { last, firstScheduledAt, ...uploads } = await readLastBackup(systemDb);
  const now = clock.now();
  const uploader = backups?.uploader ?? null;
  const lastAt = last?.startedAt ?? null;
  return {
    lastAt,
    bytes: last === null ? null : Number(last.bytes),
    seconds: last?.seconds ?? null,
    isOverdue: isBackupOverdue(backups, { lastAt, firstScheduledAt }, now),
    upload: uploader && {
      lastAt: uploads.lastUploadedAt,
      isOverdue: isUploadOverdue(uploader, uploads, now),
    },
  };
}
