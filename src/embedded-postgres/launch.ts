import { setTimeout as sleep } from 'node:timers/promises';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { findBinaryPackage, installBinaries } from './binaries.ts';
import {
  defaultFlags,
  ensureCluster,
  createSocketDir,
  readMajorVersion,
  socketPort,
} from './cluster.ts';
import { requireFreeReaderPort } from './reader-access.ts';
import { socketUrl } from './running-server.ts';
import { lockDataDir, type DataDirLock } from './data-dir-lock.ts';
import { stopOrphans } from './server-processes.ts';
import {
  startPostmaster,
  stopPostmaster,
  trimLog,
  type Postmaster,
  type ServerLayout,
} from './postmaster.ts';
import { removeExpiredClusters } from './replaced-clusters.ts';
import { clusterName, findServerLocation } from './server-location.ts';
import type { RowMover } from './move-rows.ts';
import { upgradeCluster } from './upgrade-cluster.ts';

export { EmbeddedPostgresUnsupportedError } from './binaries.ts';
export { DataDirInUseError } from './data-dir-lock.ts';

/** The part of a pino logger that boot uses. */
export interface BootLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface PostgresOptions {
  dataDir: string;
  log: BootLog;
  /** Settings that add to or replace the defaults, such as `{ fsync: 'off' }` in tests. */
  flags?: Record<string, string>;
  /** Upgrades a cluster of an older major version, which is refused without it. */
  mover?: RowMover;
  /** Logins of readers may connect to this port of loopback; null or absent: there is no TCP. */
  readerPort?: number | null;
  /** Called when the process of the server exists, before it accepts connections. */
  onSpawned?: (() => void) | undefined;
}

export interface EmbeddedPostgres {
  /** The directory of the Unix socket. */
  readonly socketDir: string;
  readonly port: number;
  /** The real location of cluster, binaries and socket; differs from dataDir below /root. */
  readonly home: string;
  readonly clusterDir: string;
  /** The process id of the running postmaster; changes with a restart. */
  readonly pid: number;
  superuserUrl(database: string): string;
  /**
   * Registers a callback for each unexpected exit of the server, which is then restarted. Returns
   * the unsubscribe function.
   */
  onExit(
    listener: (exit: { code: number | null; signal: NodeJS.Signals | null }) => void,
  ): () => void;
  /** Registers a callback for each restart. Returns the unsubscribe function. */
  onRestart(listener: () => void): () => void;
  /** A fast stop; after 5 s an immediate one. */
  stop(): Promise<void>;
}

const maxBackoffMs = 5_000;
const checkIntervalMs = 60_000;

/**
 * Starts the PostgreSQL of this data directory, creating it first if needed, and keeps it running
 * until `stop`. Throws DataDirInUseError when another process holds the directory,
 * EmbeddedPostgresUnsupportedError when this machine cannot run the embedded server.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const source = await findBinaryPackage();
  const location = await findServerLocation(options.dataDir);
  const { home, user } = location;
  if (home !== (await realpath(options.dataDir))) {
    options.log.warn(
      { dataDir: options.dataDir, home },
      'the database files are elsewhere: their user cannot reach the data directory',
    );
  }
  const lock = lockDataDir(location, options.dataDir);
  try {
    const flags = { ...defaultFlags, ...options.flags };
    const { majorVersion } = source;
    const bin = await installBinaries(source, home, readMajorVersion(join(home, clusterName)));
    const socketDir = await createSocketDir(home, user);
    const logFile = join(home, 'postgres.log');
    const cluster = { home, bin, user, majorVersion, isDurable: flags.fsync !== 'off' };
    const { log, mover } = options;
    if (mover) await upgradeCluster({ ...cluster, socketDir, logFile, flags, log, mover });
    const { readerPort = null } = options;
    // A server that was killed may still hold the port. It is stopped first.
    await stopOrphans(join(home, clusterName));
    if (readerPort !== null) await requireFreeReaderPort(readerPort);
    const layout = {
      bin,
      cluster: await ensureCluster(cluster),
      socketDir,
      logFile,
      user,
      flags,
      readerPort,
    };
    return await superviseServer(layout, home, lock, options);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function superviseServer(
  layout: ServerLayout,
  home: string,
  lock: DataDirLock,
  { log, onSpawned }: Pick<PostgresOptions, 'log' | 'onSpawned'>,
): Promise<EmbeddedPostgres> {
  const stopping = new AbortController();
  const exitListeners = new Set<Parameters<EmbeddedPostgres['onExit']>[0]>();
  const restartListeners = new Set<() => void>();
  let server = await startPostmaster(layout, stopping.signal, log, onSpawned);
  const checks = setInterval(() => {
    trimLog(layout.logFile, log);
    removeExpiredClusters(home).catch((error: unknown) =>
      log.warn({ err: error }, 'the database before the upgrade could not be deleted'),
    );
  }, checkIntervalMs).unref();

  const supervision = (async () => {
    while (!stopping.signal.aborted) {
      const exit = await server.exited;
      if (stopping.signal.aborted) return;
      log.error({ ...exit, logFile: layout.logFile }, 'PostgreSQL exited; restarting it');
      for (const listener of exitListeners) listener(exit);
      const next = await restartServer(layout, stopping.signal, log);
      if (next === null) return;
      server = next;
      for (const listener of restartListeners) listener();
    }
  })();

  const stop = async () => {
    stopping.abort();
    clearInterval(checks);
    await stopPostmaster(server);
    await supervision;
    // A restart may have succeeded just before the stop.
    await stopPostmaster(server);
    // The postmaster was killed. Its children exit when they notice.
    await stopOrphans(layout.cluster);
    lock.release();
  };
  let stopped: Promise<void> | null = null;
  return {
    socketDir: layout.socketDir,
    port: layout.readerPort ?? socketPort,
    home,
    clusterDir: layout.cluster,
    get pid() {
      return server.pid;
    },
    superuserUrl: (database) =>
      socketUrl(layout.socketDir, database, layout.readerPort ?? socketPort),
    onExit: (listener) => subscribe(exitListeners, listener),
    onRestart: (listener) => subscribe(restartListeners, listener),
    stop: () => (stopped ??= stop()),
  };
}

/**
 * Retries until the server runs or is stopped. After a full disk the operator may have to free
 * space first.
 */
async function restartServer(
  layout: ServerLayout,
  signal: AbortSignal,
  log: BootLog,
): Promise<Postmaster | null> {
  for (let backoffMs = 50; !signal.aborted; backoffMs = Math.min(backoffMs * 2, maxBackoffMs)) {
    try {
      await sleep(backoffMs, undefined, { signal });
      const server = await startPostmaster(layout, signal, log);
      log.info({ pid: server.pid }, 'PostgreSQL was restarted');
      return server;
    } catch (error) {
      if (!signal.aborted)
        log.error({ err: error, retryMs: backoffMs }, 'PostgreSQL could not be restarted');
    }
  }
  return null;
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
