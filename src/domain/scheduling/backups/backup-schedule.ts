import type { BackupSchedule } from '#db/queries/backups/backups.ts';
import type { BackupMaker, BackupUploader } from '#domain/base/ports.ts';

const dayMs = 86_400_000;
/** A backup may take so long, and be repeated, before it counts as missed. */
const graceMs = 3 * 3_600_000;

/** The schedule of this process; null when it makes no backups. */
export function scheduleOf(maker: BackupMaker | null): BackupSchedule | null {
  if (maker === null) return null;
  const { atMinutes, keep, uploader } = maker;
  return {
    atMinutes,
    keep,
    bucket: uploader && { address: uploader.address, keep: uploader.keep },
  };
}

/** True when a scheduled backup is missing: the last good one is older than 27 hours. */
export function isBackupOverdue(
  schedule: Pick<BackupSchedule, 'atMinutes'> | null,
  { lastAt, firstScheduledAt }: { lastAt: Date | null; firstScheduledAt: Date | null },
  now: Date,
): boolean {
  const since = lastAt ? lastAt.getTime() + dayMs : firstScheduledAt?.getTime();
  return schedule !== null && since !== undefined && now.getTime() > since + graceMs;
}

/**
 * True when the bucket lacks a backup of the last 27 hours. After a move to another bucket, those
 * in the one before count.
 */
export function isUploadOverdue(
  bucket: Pick<BackupUploader, 'address'> | null,
  { lastUploadedAt, firstUploadAt }: { lastUploadedAt: Date | null; firstUploadAt: Date | null },
  now: Date,
): boolean {
  const since = lastUploadedAt ? lastUploadedAt.getTime() + dayMs : firstUploadAt?.getTime();
  return bucket !== null && since !== undefined && now.getTime() > since + graceMs;
}
