import {
  acquireBackup,
  failBackup,
  renewBackupLease,
  saveBackup,
  type AcquiredBackup,
  type BackupAttempt,
} from '#db/queries/backups/backups.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import type { BackupMaker, MadeBackup } from '#domain/base/ports.ts';
import { withTimeLimit } from '#lib/time-limit.ts';
import { deleteOldBackups } from './delete-old-backups.ts';
import { keepLease, lastScheduledInstant, leaseMs } from '../nightly.ts';

const retryAfterMs = 10 * 60_000;
const timeoutMs = 12 * 3_600_000;

/** The backups that run in this process, so that a shutdown can end them. */
const running = new WeakMap<BackupMaker, Promise<void>>();

/**
 * Starts the scheduled backup that is due, unless a process has made it or is making it. It goes on
 * after this returns: it takes longer than a tick may.
 */
export async function startDueBackup(services: Services): Promise<void> {
  const { backups: maker, clock } = services;
  if (maker === null || running.has(maker)) return;
  const now = clock.now();
  const scheduledFor = lastScheduledInstant(now, maker.atMinutes);
  const leasedUntil = new Date(now.getTime() + leaseMs);
  const acquired = await inSystem(services, (tx) =>
    acquireBackup(tx, { scheduledFor, now, leasedUntil }),
  );
  if (acquired === null) return;
  const work = makeBackup(services, maker, { ...acquired, startedAt: now }).finally(() =>
    running.delete(maker),
  );
  running.set(maker, work);
}

/** Resolves when this process is making no backup. */
export const waitForBackup = ({ backups }: Pick<Services, 'backups'>): Promise<void> =>
  (backups && running.get(backups)) ?? Promise.resolve();

/** Never rejects: the row has the outcome, and a failed backup is due again later. */
async function makeBackup(
  services: Services,
  maker: BackupMaker,
  { earlierAt, ...attempt }: BackupAttempt & AcquiredBackup,
): Promise<void> {
  const { clock, log } = services;
  let unrecorded: MadeBackup | null = null;
  const renewal = keepLease(services, (leasedUntil) =>
    renewBackupLease(services.systemDb, attempt, leasedUntil),
  );
  try {
    // Its process may have been killed after it wrote its file and before it recorded it.
    if (earlierAt !== null) await maker.removeAttempt(earlierAt);
    const made = await withTimeLimit({ timeoutMs, signal: renewal.signal }, (signal) =>
      maker.make(attempt.startedAt, signal),
    );
    unrecorded = made;
    const isUploaded = maker.uploader !== null;
    const isSaved = await inSystem(services, (tx) =>
      saveBackup(tx, attempt, clock.now(), { ...made, isUploaded }),
    );
    if (!isSaved) {
      await removeUnnamed(maker, made);
      return logLost(services);
    }
    log.info({ ...made }, 'a backup was made and read back');
    await deleteOldBackups(services);
  } catch (error) {
    if (renewal.signal.aborted) logLost(services);
    else
      await recordFailure(services, maker, attempt, {
        unrecorded,
        error: (error as Error).message,
      });
  } finally {
    renewal.stop();
  }
}

/** No row names this file, so nothing else would delete it. */
const removeUnnamed = (maker: BackupMaker, { path, bytes }: MadeBackup): Promise<boolean> =>
  maker.remove({ path, bytes: BigInt(bytes) });

const logLost = ({ log }: Services): void =>
  log.warn({}, 'the lease of a backup was lost: another process has taken it over');

async function recordFailure(
  services: Services,
  maker: BackupMaker,
  attempt: BackupAttempt,
  { unrecorded, error }: { unrecorded: MadeBackup | null; error: string },
): Promise<void> {
  const now = services.clock.now();
  const waitMs = maker.isStopping() ? 0 : retryAfterMs;
  const failure = { now, retryAt: new Date(now.getTime() + waitMs), error };
  // Without a database the lease expires, and the backup is repeated; it may be recorded already.
  const isHeld = await inSystem(services, (tx) => failBackup(tx, attempt, failure)).catch(
    () => null,
  );
  if (isHeld === false) return logLost(services);
  if (isHeld && unrecorded) await removeUnnamed(maker, unrecorded).catch(() => false);
  if (maker.isStopping()) services.log.info({}, 'a backup was interrupted and will be repeated');
  else services.log.error({ alert: 'backup.failed', error }, 'a backup failed, will retry');
}
