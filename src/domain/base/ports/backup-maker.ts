import type { BackupUploader } from './backup-uploader.ts';

export interface MadeBackup {
  path: string;
  bytes: number;
  rows: number;
  /** The size of the database on disk. */
  databaseBytes: number;
  seconds: number;
}

/** Makes the scheduled backups of this process. */
export interface BackupMaker {
  /** Minutes after 00:00Z. */
  atMinutes: number;
  /** The number of backups that are kept. */
  keep: number;
  /** Null without a bucket. */
  uploader: BackupUploader | null;
  /** Writes a backup into the directory of the settings and reads it back. */
  make(now: Date, signal: AbortSignal): Promise<MadeBackup>;
  /** True once the process stops, which ends a running backup and a running upload. */
  isStopping(): boolean;
  /** Deletes a file that it made, and no other one. False when it is not there. */
  remove(file: { path: string; bytes: bigint }): Promise<boolean>;
  /** Deletes the file of an attempt begun at `startedAt`, if it is there and whole. */
  removeAttempt(startedAt: Date): Promise<void>;
}
