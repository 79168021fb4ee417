import { randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CommandError } from '#lib/command-error.ts';

const extension = '.backup';
const nameOfBackup = /^toprung-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/;
const draft = /^\.toprung-.*\.partial$/;
const endOfDraft = /^[0-9a-f]+\.partial$/;
/** A backup that is being written grows all the time. */
const abandonedAfterMs = 3_600_000;

/** `toprung-2026-11-24T130500Z.backup`: names sort by time. */
export const backupNameAt = (now: Date): string =>
  `toprung-${now.toISOString().slice(0, 19).replaceAll(':', '')}Z${extension}`;

/**
 * The path of a new backup: in that directory, or the file itself. It must not exist. Throws
 * CommandError.
 */
export async function chooseBackupPath(target: string, now: Date): Promise<string> {
  const isFolder =
    target.endsWith('/') || statSync(target, { throwIfNoEntry: false })?.isDirectory();
  if (isFolder)
    await mkdir(target, { recursive: true, mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
      throw new CommandError(`The directory ${target} cannot be made: ${cause.code}.`, { cause });
    });
  const path = resolve(isFolder ? join(target, backupNameAt(now)) : target);
  if (existsSync(path)) throw new CommandError(`${path} exists already. Name another file.`);
  return path;
}

/** True for the name that a backup gets in a directory. */
export const isBackupName = (name: string): boolean => nameOfBackup.test(name);

/**
 * A new temporary path for the file of a backup. It is random, because the next process of a
 * container has the same id.
 */
export const draftPathOf = (path: string): string =>
  join(dirname(path), `${startOfDraft(path)}${randomBytes(6).toString('hex')}.partial`);

const startOfDraft = (path: string): string => `.${basename(path)}.`;

/** Removes what killed backups left in the directory of a new one, whose name may be a user's. */
export async function removeAbandonedDrafts(backupPath: string, now: Date): Promise<void> {
  const folder = dirname(backupPath);
  const start = startOfDraft(backupPath);
  const isDraft = (name: string) =>
    draft.test(name) || (name.startsWith(start) && endOfDraft.test(name.slice(start.length)));
  const files = await readdir(folder).catch(() => []);
  for (const name of files.filter(isDraft)) {
    const path = join(folder, name);
    const written = await stat(path).catch(() => null);
    if (written !== null && now.getTime() - written.mtimeMs > abandonedAfterMs)
      await rm(path, { force: true });
  }
}

/**
 * When the newest backup in a directory was begun, by its name; null without one. A later name than
 * `now` is of a clock that was wrong.
 */
export async function findNewestBackup(folder: string, now: Date): Promise<Date | null> {
  const names = await readdir(folder).catch(() => []);
  const last = backupNameAt(now);
  const newest = names
    .filter((name) => isBackupName(name) && name <= last)
    .sort()
    .at(-1);
  return newest === undefined ? null : new Date(newest.replace(nameOfBackup, '$1T$2:$3:$4Z'));
}
