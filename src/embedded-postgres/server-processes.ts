import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Every process that works in the cluster: PostgreSQL's processes use the cluster as their working
 * directory.
 */
export function listServerPids(cluster: string): number[] {
  if (process.platform !== 'linux') return listPostmasterPids(cluster);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => workingDirectoryOf(name) === cluster)
    .map(Number);
}

export interface PostmasterFile {
  pid: number;
  isReady: boolean;
  port: number;
  /** The directory of its Unix socket. */
  socketDir: string;
}

/** The postmaster's entry in postmaster.pid; null without one. */
export function readPostmasterFile(cluster: string): PostmasterFile | null {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return {
      pid: Number.parseInt(lines[0] ?? '', 10),
      isReady: lines[7]?.trim() === 'ready',
      port: Number.parseInt(lines[3] ?? '', 10),
      socketDir: lines[4]?.trim() ?? '',
    };
  } catch {
    return null;
  }
}

/**
 * Ends processes that a killed launcher left behind, gently first. Only the owner of the data
 * directory may call it.
 */
export async function stopOrphans(cluster: string): Promise<number[]> {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return [];
  const orphans = listServerPids(cluster);
  const postmaster = readPostmasterFile(cluster)?.pid ?? 0;
  const hasPostmaster = orphans.includes(postmaster);
  if (hasPostmaster) signalProcess(postmaster, 'SIGINT');
  const isGone = () => listServerPids(cluster).length === 0;
  if (!(await waitUntil(isGone, hasPostmaster ? 5_000 : 1_000))) signalAll(cluster, 'SIGQUIT');
  if (!(await waitUntil(isGone, 2_000))) signalAll(cluster, 'SIGKILL');
  // When the process id was reused (containers count from 1 again), the stale file would keep
  // PostgreSQL from starting.
  if ((await waitUntil(isGone, 2_000)) && postmaster > 0 && isAlive(postmaster))
    rmSync(pidFile, { force: true });
  return orphans;
}

function signalAll(cluster: string, signal: NodeJS.Signals): void {
  for (const pid of listServerPids(cluster)) signalProcess(pid, signal);
}

/** True as soon as the condition holds; false when the time is over. */
export async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > end) return false;
    await sleep(10);
  }
  return true;
}

function workingDirectoryOf(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

function listPostmasterPids(cluster: string): number[] {
  const lines = execFileSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' }).split('\n');
  return lines
    .filter((line) => line.includes(`-D ${cluster} `))
    .map((line) => Number.parseInt(line, 10));
}
