import type { BackupMaker, BackupUploader } from '#domain/base/ports.ts';

const dayMs = 86_400_000;
/** A backup may take so long, and be repeated, before it counts as missed. */
const graceMs = 3 * 3_600_000;

/** True when a scheduled backup is missing: the last good one is older than 27 hours. */
export function isBackupOverdue(
  maker: Pick<BackupMaker, 'atMinutes'> | null,
  { lastAt, firstScheduledAt }: { lastAt: Date | null; firstScheduledAt: Date | null },
  now: Date,
): boolean {
  const since = lastAt ? lastAt.getTime() + dayMs : firstScheduledAt?.getTime();
  return maker !== null && since !== undefined && now.getTime() > since + graceMs;
}

/** True when the bucket lacks a backup of the last 27 hours. */
export function isUploadOverdue(
  uploader: Pick<BackupUploader, 'address'> | null,
  { lastUploadedAt, firstUploadAt }: { lastUploadedAt: Date | null; firstUploadAt: Date | null },
  now: Date,
): boolean {
  const since = lastUploadedAt ? lastUploadedAt.getTime() + dayMs : firstUploadAt?.getTime();
  return uploader !== null && since !== undefined && now.getTime() > since + graceMs;
}
