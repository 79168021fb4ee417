import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '#lib/command-error.ts';
import { formatBytes } from '#lib/format-bytes.ts';
import { findBinaries } from './binaries.ts';
import { measureFolder, readFreeBytes } from './disk-space.ts';
import type { UpgradeOptions } from './move-rows.ts';
import { clusterName } from './server-location.ts';
import { dumpPath, movedPath, readState } from './upgrade-files.ts';

/** The upgrade cannot begin or go on. Nothing was changed. */
export class UpgradeRefusedError extends CommandError {}

/** The files of a new cluster and its log, besides the rows. */
const emptyClusterBytes = 200 * 1024 ** 2;

export function requireFreePath(path: string): void {
  if (existsSync(path))
    throw new UpgradeRefusedError(
      `The old database is to be kept as ${path}, which exists. Move that directory away or ` +
        'delete it, then start again.',
    );
}

export async function requireBinaries(home: string, majorVersion: string): Promise<string> {
  const bin = await findBinaries(home, majorVersion);
  if (bin === null)
    throw new UpgradeRefusedError(
      `The database is of PostgreSQL ${majorVersion}, whose binaries are missing in ${home} ` +
        `(pg-bin-${majorVersion}…). Start the release that made the database once, which puts ` +
        'them there, stop it, and start this one again.',
    );
  return bin;
}

/** A dump is at most half as large as its database, and the new database at most as large. */
export async function requireSpace(options: UpgradeOptions, from: string): Promise<void> {
  const { home, majorVersion, mover } = options;
  const cluster = join(home, clusterName);
  const state = readState(cluster);
  if (existsSync(movedPath(home, majorVersion, state))) return;
  const rows = await measureFolder(join(cluster, 'base'));
  const hasDump = existsSync(dumpPath(home, from, state));
  const needed = emptyClusterBytes + rows * (hasDump ? 1 : 1.5);
  const free = await readFreeBytes(home);
  if (free < needed)
    throw new UpgradeRefusedError(
      `Moving the database to PostgreSQL ${majorVersion} needs ${formatBytes(needed)} of disk ` +
        `space in ${home}, and ${formatBytes(free)} are free. Nothing was changed.`,
    );
  mover.report(`It needs ${formatBytes(needed)} of disk space; ${formatBytes(free)} are free.`);
}
