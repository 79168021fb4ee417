import {
  chmodSync,
  chownSync,
  closeSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ServerLocation } from './server-location.ts';

const sqliteBusy = 5;

/**
 * Another live process holds this data directory. Two servers on one directory would destroy it.
 */
export class DataDirInUseError extends Error {
  readonly dataDir: string;
  readonly ownerPid: number | null;

  constructor(dataDir: string, ownerPid: number | null) {
    const owner = ownerPid === null ? 'another process' : `process ${ownerPid}`;
    super(
      `The data directory ${dataDir} is in use by ${owner}. Stop it first, or set DATA_DIR ` +
        'to another directory.',
    );
    this.name = 'DataDirInUseError';
    this.dataDir = dataDir;
    this.ownerPid = ownerPid;
  }
}

export interface DataDirLock {
  release(): void;
}

/**
 * Locks the directory for this process, or fails at once. The lock is the kernel's (the exclusive
 * lock of an empty SQLite file): only that is released when its owner dies, works between
 * containers that share a volume, and leaves no stale state for two processes to take over.
 * This process must not open `owner.lock` elsewhere, because closing it would release the lock.
 */
export function lockDataDir({ home, user }: ServerLocation, dataDir: string): DataDirLock {
  const ownerFile = join(home, 'owner.pid');
  const lockFile = join(home, 'owner.lock');
  createPrivateFile(lockFile);
  const database = new DatabaseSync(lockFile);
  try {
    database.exec('PRAGMA busy_timeout = 200; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error;
    throw new DataDirInUseError(dataDir, readOwnerPid(ownerFile));
  }
  writeFileSync(ownerFile, `${process.pid}\n`);
  // The owner may have to lock a file later that root created today.
  if (user !== null) for (const file of [lockFile, ownerFile]) chownSync(file, user.uid, user.gid);
  return {
    release: () => {
      if (!database.isOpen) return;
      rmSync(ownerFile, { force: true });
      database.close();
    },
  };
}

/**
 * A user who can read the file can hold a shared lock on it, and the owner could not start. An
 * existing file is not opened, because closing it would release a lock of this process.
 */
function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    chmodSync(file, 0o600);
  }
}

/** Used only for the message. The kernel's lock decides. */
function readOwnerPid(ownerFile: string): number | null {
  try {
    return Number.parseInt(readFileSync(ownerFile, 'utf8'), 10) || null;
  } catch {
    return null;
  }
}
