import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { formatBytes } from '#lib/format-bytes.ts';
import { failure, ok, skipped, warning, type Finding } from '../finding.ts';
import type { Readings } from '../readings.ts';

const warnFreeBytes = 1024 ** 3;
/** PostgreSQL reserves its write-ahead log in files of 16 MB. */
const errorFreeBytes = 64 * 1024 ** 2;
const warnShare = 0.8;
const errorShare = 0.9;

/** The folders that the product writes to, and the size of the database. */
export async function checkDisk({ config, database }: Readings): Promise<Finding[]> {
  const home = 'home' in database ? database.home : null;
  const ownFolders = new Set(
    [config.DATA_DIR, home ?? config.DATA_DIR].map((path) => resolve(path)),
  );
  const folders = [
    ...[...ownFolders].map((path) => ({ path, name: 'DATA_DIR' })),
    ...(config.BACKUP_DIR === null ? [] : [{ path: config.BACKUP_DIR, name: 'BACKUP_DIR' }]),
  ];
  const findings = await Promise.all(folders.map(checkFolder));
  return [...findings, ...checkBudget(config.DISK_BUDGET_BYTES, database)];
}

interface Folder {
  path: string;
  /** Its setting. */
  name: string;
}

async function checkFolder({ path, name }: Folder): Promise<Finding> {
  const where = `${name} (${path})`;
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error)
    return found.code === 'ENOENT'
      ? skipped('disk', `${where} does not exist yet. It is created when it is needed.`)
      : failure('disk', `${where} cannot be reached: ${found.code}.`, 'Check its parents.');
  if (!found.isDirectory())
    return failure('disk', `${where} is not a directory.`, `Set ${name} to a directory.`);
  const denied = await access(path, constants.W_OK | constants.X_OK).then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
  if (denied !== null)
    return failure('disk', `${where} cannot be written to: ${denied}.`, chownOf(path));
  return checkFreeSpace(where, await statfs(path));
}

const chownOf = (path: string): string =>
  `Give it to the user of Toprung: chown -R ${process.getuid?.() ?? '<user>'} ${path}.`;

function checkFreeSpace(where: string, { bavail, bsize }: { bavail: number; bsize: number }) {
  const freeBytes = bavail * bsize;
  const message = `${where} has ${formatBytes(freeBytes)} of free space.`;
  const remedy = 'Free space on that disk, or move the directory to a larger one.';
  if (freeBytes < errorFreeBytes) return failure('disk', message, remedy);
  return freeBytes < warnFreeBytes ? warning('disk', message, remedy) : ok('disk', message);
}

function checkBudget(budget: number, database: Readings['database']): Finding[] {
  if (budget === 0 || database.state !== 'running') return [];
  const { databaseBytes } = database.server;
  const message =
    `The database has ${formatBytes(databaseBytes)} of DISK_BUDGET_BYTES, ` +
    `${formatBytes(budget)}.`;
  const remedy = 'Raise DISK_BUDGET_BYTES, or track less: docs/operations.md, Retention.';
  if (databaseBytes >= budget * errorShare) return [failure('disk', message, remedy)];
  if (databaseBytes >= budget * warnShare) return [warning('disk', message, remedy)];
  return [ok('disk', message)];
}
