import {
  acquireUpload,
  failUpload,
  listDueUploads,
  listOldObjects,
  markObjectDeleted,
  renewUploadLease,
  saveUpload,
  type DueUpload,
  type UploadAttempt,
} from '#db/queries/backups/backup-uploads.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import type { BackupMaker, BackupUploader } from '#domain/base/ports.ts';
import { withTimeLimit } from '#lib/time-limit.ts';
import { createCleanupInterval } from './cleanup-interval.ts';
import { keepLease, leaseMs } from '../nightly.ts';

const retryAfterMs = 10 * 60_000;
const timeoutMs = 12 * 3_600_000;

/** A process that was killed after its upload has left the old objects. */
const isCleanupDue = createCleanupInterval();

/** The uploads that run in this process, so that a shutdown can end them. */
const running = new WeakMap<BackupMaker, Promise<void>>();

/**
 * Starts the upload of the newest backup that the bucket lacks and whose file this process has,
 * unless another one is at it. It goes on after this returns.
 */
export async function startDueUpload(services: Services): Promise<void> {
  const { backups: maker, clock, systemDb } = services;
  const uploader = maker?.uploader ?? null;
  if (maker === null || uploader === null || running.has(maker)) return;
  for (const file of await listDueUploads(systemDb, clock.now())) {
    if (!(await uploader.hasFile(file))) continue;
    const now = clock.now();
    const leasedUntil = new Date(now.getTime() + leaseMs);
    const attempt = await inSystem(services, (tx) =>
      acquireUpload(tx, file.id, { now, leasedUntil }),
    );
    if (attempt === null) continue;
    const work = upload(services, maker, uploader, { ...file, attempt });
    running.set(
      maker,
      work.finally(() => running.delete(maker)),
    );
    return;
  }
  if (isCleanupDue(maker, clock.now())) await deleteOldObjects(services, uploader);
}

/** Resolves when this process is uploading no backup. */
export const waitForUpload = ({ backups }: Pick<Services, 'backups'>): Promise<void> =>
  (backups && running.get(backups)) ?? Promise.resolve();

/** Never rejects: the row has the outcome, and a failed upload is due again later. */
async function upload(
  services: Services,
  maker: BackupMaker,
  uploader: BackupUploader,
  { id, path, attempt: number }: DueUpload & UploadAttempt,
): Promise<void> {
  const { clock, log, systemDb } = services;
  const attempt = { id, attempt: number };
  const renewal = keepLease(services, (leasedUntil) =>
    renewUploadLease(systemDb, attempt, leasedUntil),
  );
  try {
    const uploaded = await withTimeLimit({ timeoutMs, signal: renewal.signal }, (signal) =>
      uploader.upload(path, signal),
    );
    // The object stays after a lost lease: the other process uploads the same file to its address.
    const isSaved = await inSystem(services, (tx) =>
      saveUpload(tx, attempt, clock.now(), uploaded),
    );
    if (!isSaved) return logLost(services);
    log.info({ ...uploaded }, 'a backup was uploaded and compared');
    await deleteOldObjects(services, uploader);
  } catch (error) {
    if (renewal.signal.aborted) logLost(services);
    else await recordFailure(services, maker, attempt, (error as Error).message);
  } finally {
    renewal.stop();
  }
}

const logLost = ({ log }: Services): void =>
  log.warn({}, 'the lease of an upload was lost: another process has taken it over');

async function recordFailure(
  services: Services,
  maker: BackupMaker,
  attempt: UploadAttempt,
  error: string,
): Promise<void> {
  const waitMs = maker.isStopping() ? 0 : retryAfterMs;
  const retryAt = new Date(services.clock.now().getTime() + waitMs);
  // Without a database the lease expires, and the upload is continued.
  const isHeld = await inSystem(services, (tx) =>
    failUpload(tx, attempt, { retryAt, error }),
  ).catch(() => true);
  if (!isHeld) return logLost(services);
  if (maker.isStopping()) services.log.info({}, 'an upload was interrupted and will be continued');
  else services.log.error({ alert: 'backup.upload.failed', error }, 'an upload failed, will retry');
}

/** A failure leaves the object to the next time. */
async function deleteOldObjects(
  { systemDb, clock, log }: Services,
  uploader: BackupUploader,
): Promise<void> {
  for (const { id, objectUrl: url, sha256 } of await listOldObjects(systemDb, uploader)) {
    try {
      const wasThere = await uploader.remove({ url, sha256 });
      await markObjectDeleted(systemDb, id, clock.now());
      log.info({ url, wasThere }, 'an old backup in the bucket was deleted');
    } catch (error) {
      log.error({ url, error: (error as Error).message }, 'an old backup could not be deleted');
    }
  }
}
