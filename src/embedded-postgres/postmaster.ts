import { spawn, type ChildProcess } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  fchownSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverEnvironment, socketPort } from './cluster.ts';
import { readerFlags } from './reader-access.ts';
import { readPostmasterFile, signalProcess, stopOrphans } from './server-processes.ts';
import type { BootLog } from './launch.ts';
import type { ServerUser } from './server-location.ts';

export interface ServerLayout {
  bin: string;
  cluster: string;
  socketDir: string;
  logFile: string;
  user: ServerUser | null;
  flags: Record<string, string>;
  /** The port of readers on loopback; null or absent: no TCP at all. */
  readerPort?: number | null;
}

export interface Postmaster {
  pid: number;
  readonly isGone: boolean;
  /** Resolves when the process has exited for any reason. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const maxLogBytes = 10 * 1024 * 1024;
const maxTries = 60;
const recoveryTimeoutMs = 600_000;

/** Messages of PostgreSQL while processes of a killed server are still exiting. */
const transientErrors =
  /pre-existing shared memory block|lock file ".*" already exists|is the directory .* in use/i;

/**
 * Starts the server and waits until it accepts connections. Processes of a killed server must exit
 * first. `onSpawned` is called when the process of the server exists.
 */
export async function startPostmaster(
  layout: ServerLayout,
  signal: AbortSignal,
  log: BootLog,
  onSpawned: () => void = () => undefined,
): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    await stopOrphans(layout.cluster);
    signal.throwIfAborted();
    trimLog(layout.logFile, log);
    const logStart = fileSize(layout.logFile);
    const child = spawnServer(layout);
    onSpawned();
    const failure = await waitForReady(child, layout.cluster, signal);
    if (failure === null) return child;
    const said = readFileSync(layout.logFile).subarray(logStart).toString().trim();
    if (attempt >= maxTries || !transientErrors.test(said)) {
      throw new Error(
        `PostgreSQL did not start (${failure}): ` +
          `${said.split('\n').slice(-5).join(' | ') || 'no output'}`,
      );
    }
    await sleep(100, undefined, { signal });
  }
}

/**
 * Requests a smart shutdown, then a fast one, then an immediate one, and then kills the process. An
 * immediate fast shutdown would end connections of a closed pool with an error, because the server
 * may not have read their last message yet.
 */
const stops = [
  { signal: 'SIGTERM', deadlineMs: 1_000 },
  { signal: 'SIGINT', deadlineMs: 5_000 },
  { signal: 'SIGQUIT', deadlineMs: 5_000 },
  { signal: 'SIGKILL', deadlineMs: 5_000 },
] as const;

export async function stopPostmaster(server: Postmaster): Promise<void> {
  for (const { signal, deadlineMs } of stops) {
    if (server.isGone) return;
    signalProcess(server.pid, signal);
    const timer = new AbortController();
    await Promise.race([
      server.exited,
      sleep(deadlineMs, undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
  }
}

/**
 * Rotates the log at its limit and keeps one older file. The server appends, so truncating is safe.
 * After a failure the log keeps growing, because logging must not stop the server, least of all on
 * a full disk.
 */
export function trimLog(logFile: string, log: BootLog): void {
  try {
    if (fileSize(logFile) <= maxLogBytes) return;
    rotateLog(logFile, log);
    truncateSync(logFile, 0);
  } catch (error) {
    log.warn(
      { logFile, error: (error as Error).message },
      'the log of PostgreSQL could not be rotated',
    );
  }
}

/** Without disk space the old file is dropped, because rotation must free space. */
function rotateLog(logFile: string, log: BootLog): void {
  const older = `${logFile}.old`;
  try {
    copyFileSync(logFile, older);
  } catch (error) {
    rmSync(older, { force: true });
    log.warn(
      { logFile, error: (error as Error).message },
      'the older part of the log of PostgreSQL was dropped',
    );
  }
}

/**
 * Starts it in a session of its own, so that Ctrl-C in a terminal reaches only this process, which
 * then stops the server last.
 */
function spawnServer(layout: ServerLayout): Postmaster {
  const log = openSync(layout.logFile, 'a', 0o600);
  const { readerPort = null } = layout;
  const settings = {
    ...layout.flags,
    listen_addresses: '',
    unix_socket_directories: quoteListItem(layout.socketDir),
    port: String(socketPort),
    ...(readerPort !== null && readerFlags(layout.cluster, readerPort)),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(layout.bin, 'postgres'), ['-D', layout.cluster, ...flags], {
    cwd: '/',
    env: serverEnvironment,
    detached: true,
    stdio: ['ignore', log, log],
    ...(layout.user && { uid: layout.user.uid, gid: layout.user.gid }),
  });
  if (layout.user !== null) fchownSync(log, layout.user.uid, layout.user.gid);
  closeSync(log);
  return watchServer(child);
}

/** PostgreSQL splits a list at commas, and removes spaces around its items. */
const quoteListItem = (item: string): string => `"${item.replaceAll('"', '""')}"`;

/** Ends the server with this process, even when it exits without a stop. */
function watchServer(child: ChildProcess): Postmaster {
  const { pid = 0 } = child;
  const onProcessExit = () => signalProcess(pid, 'SIGINT');
  if (pid > 0) process.once('exit', onProcessExit);
  const exited = waitForExit(child).finally(() => process.off('exit', onProcessExit));
  return {
    pid,
    exited,
    get isGone() {
      return pid === 0 || child.exitCode !== null || child.signalCode !== null;
    },
  };
}

function waitForExit(child: ChildProcess): Postmaster['exited'] {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

/**
 * Null when ready; otherwise the exit. Crash recovery may take long, so only an exit counts as a
 * failure.
 */
async function waitForReady(
  server: Postmaster,
  cluster: string,
  signal: AbortSignal,
): Promise<string | null> {
  let ended: string | null = null;
  server.exited.then(
    (exit) => (ended = exit.signal ?? `exit code ${exit.code}`),
    (error: Error) => (ended = error.message),
  );
  const end = performance.now() + recoveryTimeoutMs;
  for (;;) {
    await sleep(4);
    if (ended !== null) return ended;
    const file = readPostmasterFile(cluster);
    if (file?.pid === server.pid && file.isReady) return null;
    if (signal.aborted || performance.now() > end) {
      await stopPostmaster(server);
      signal.throwIfAborted();
      return 'not ready in time';
    }
  }
}

function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
