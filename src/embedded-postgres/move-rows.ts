import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncedRename } from './binaries.ts';
import { createDraft, type ClusterOptions } from './cluster.ts';
import type { BootLog } from './launch.ts';
import { startPostmaster, stopPostmaster, type ServerLayout } from './postmaster.ts';
import { socketUrl } from './running-server.ts';
import { clusterName } from './server-location.ts';
import { dumpPath, movedPath, readState } from './upgrade-files.ts';

/** Moves the rows of one major version of PostgreSQL to another one. */
export interface RowMover {
  /** Settings of the new server while rows are written. */
  flags: Record<string, string>;
  /** Writes every row into a new file. False when there is none; no file is written then. */
  dump(urlOf: (database: string) => string, file: string): Promise<boolean>;
  /** Writes the rows of the file, reads them back and throws unless they are the same. */
  load(urlOf: (database: string) => string, file: string): Promise<void>;
  /** Shows a line to the person at the terminal. */
  report(line: string): void;
}

export interface UpgradeOptions extends ClusterOptions {
  socketDir: string;
  logFile: string;
  /** Settings of the new server. */
  flags: Record<string, string>;
  log: BootLog;
  mover: RowMover;
}

/** Every major version knows these, so that any old server starts with them. */
const readingFlags = {
  shared_buffers: '64MB',
  max_connections: '20',
  autovacuum: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** Returns the state of the old cluster, and its rows in a file; null without rows. */
export async function dumpOnce(
  options: UpgradeOptions,
  from: string,
  bin: string,
): Promise<{ state: string; file: string | null }> {
  const { home, mover } = options;
  const cluster = join(home, clusterName);
  const known = readState(cluster);
  const complete = dumpPath(home, from, known);
  if (existsSync(complete)) return { state: known, file: complete };
  mover.report(`1 of 3: PostgreSQL ${from} reads the rows.`);
  const draft = dumpPath(home, from);
  const layout = { ...layoutOf(options, cluster), bin, flags: readingFlags };
  const hasRows = await withServer(layout, options.log, (urlOf) => mover.dump(urlOf, draft));
  const state = readState(cluster);
  if (!hasRows) return { state, file: null };
  const file = dumpPath(home, from, state);
  await syncedRename(draft, file);
  return { state, file };
}

/** Returns the new cluster with the rows of the dump. */
export async function loadOnce(
  options: UpgradeOptions,
  { state, file }: { state: string; file: string | null },
): Promise<string> {
  const { home, majorVersion, mover } = options;
  const target = movedPath(home, majorVersion, state);
  if (existsSync(target)) return target;
  mover.report(`2 of 3: PostgreSQL ${majorVersion} writes the rows and compares them.`);
  const draft = await createDraft(options);
  try {
    const layout = layoutOf(options, draft);
    if (file !== null) await withServer(layout, options.log, (urlOf) => mover.load(urlOf, file));
    await syncedRename(draft, target);
    return target;
  } catch (error) {
    // Its space is needed by others, for example when the disk is full.
    await rm(draft, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
}

function layoutOf(options: UpgradeOptions, cluster: string): ServerLayout {
  const { bin, socketDir, logFile, user, mover } = options;
  const flags = { ...options.flags, ...mover.flags };
  return { bin, cluster, socketDir, logFile, user, flags };
}

async function withServer<T>(
  layout: ServerLayout,
  log: BootLog,
  work: (urlOf: (database: string) => string) => Promise<T>,
): Promise<T> {
  const server = await startPostmaster(layout, new AbortController().signal, log);
  try {
    return await work((database) => socketUrl(layout.socketDir, database));
  } finally {
    await stopPostmaster(server);
  }
}
