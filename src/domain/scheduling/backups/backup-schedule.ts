import type { BackupMaker } from '#domain/base/ports.ts';

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
