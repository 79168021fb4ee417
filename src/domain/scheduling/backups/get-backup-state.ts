import { readLastBackup, type BackupSchedule } from '#db/queries/backups/backups.ts';
import type { Services } from '#domain/base/context.ts';
import { isBackupOverdue, isUploadOverdue, scheduleOf } from './backup-schedule.ts';

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
export const getBackupState = async (services: BackupReader): Promise<BackupState> =>
  (await readBackups(services)).state;

type BackupReader = Pick<Services, 'systemDb' | 'backups' | 'clock'>;

/**
 * The state of the backups with their schedule, which is that of the scheduler where this process
 * makes none.
 */
export async function readBackups({
  systemDb,
  backups,
  clock,
}: BackupReader): Promise<{ schedule: BackupSchedule | null; state: BackupState }> {
  const now = clock.now();
  const own = scheduleOf(backups);
  const address = own?.bucket?.address ?? null;
  const dates = await readLastBackup(systemDb, { now, address });
  const { last, firstScheduledAt, schedule: saved, ...uploads } = dates;
  const schedule = own ?? saved;
  const bucket = schedule?.bucket ?? null;
  const lastAt = last?.startedAt ?? null;
  const state = {
    lastAt,
    bytes: last === null ? null : Number(last.bytes),
    seconds: last?.seconds ?? null,
    isOverdue: isBackupOverdue(schedule, { lastAt, firstScheduledAt }, now),
    upload: bucket && {
      lastAt: uploads.lastInBucketAt,
      isOverdue: isUploadOverdue(bucket, uploads, now),
    },
  };
  return { schedule, state };
}
