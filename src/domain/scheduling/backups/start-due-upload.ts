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

/** The uploads and deletions that run in this process, so that a shutdown can end them. */
const running = new WeakMap<BackupMaker, Promise<void>>();

/**
 * Starts the upload of the newest backup that the bucket lacks and whose file this process has,
 * unless another one is at it, or else the deletion of old ones that is due. It goes on after this
 * returns. Every process calls this, because each host has files of its own.
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
    return keep(maker, upload(services, maker, uploader, { ...file, attempt }));
  }
  // A bucket that does not respond must not delay other periodic tasks.
  if (isCleanupDue(maker, clock.now()))
    keep(
      maker,
      deleteOldObjects(services, maker, uploader).catch((error: Error) =>
        services.log.error({ error: error.message }, 'old backups could not be deleted'),
      ),
    );
}

function keep(maker: BackupMaker, work: Promise<void>): void {
  running.set(
    maker,
    work.finally(() => running.delete(maker)),
  );
}

/** Resolves when this process is uploading and deleting no backup. */
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
    await deleteOldObjects(services, maker, uploader);
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

/** A failure leaves the object to the next time, and so does the end of the process. */
async function deleteOldObjects(
  { systemDb, clock, log }: Services,
  maker: BackupMaker,
  uploader: BackupUploader,
): Promise<void> {
  for (const { id, objectUrl: url, sha256 } of await listOldObjects(systemDb, uploader)) {
    if (maker.isStopping()) return;
    try {
      const wasThere = await uploader.remove({ url, sha256 });
      await markObjectDeleted(systemDb, id, clock.now());
      log.info({ url, wasThere }, 'an old backup in the bucket was deleted');
    } catch (error) {
      if (!maker.isStopping())
        log.error({ url, error: (error as Error).message }, 'an old backup could not be deleted');
    }
  }
}
