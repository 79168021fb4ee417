import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stopOrphans } from '#embedded-postgres/server-processes.ts';

const memoryFolder = '/dev/shm';
const requiredBytes = 3 * 1024 ** 3;
const prefix = 'toprung-test-';

/**
 * A folder for everything that a test run writes, in memory where 3 GB are free. TMPDIR of this
 * process and of the workers that it starts is set to it.
 */
export async function createRunFolder(): Promise<{ path: string; remove(): void }> {
  const diskFolder = tmpdir();
  await Promise.all([memoryFolder, diskFolder].map(removeAbandonedFolders));
  const parent = canUseMemory() ? memoryFolder : diskFolder;
  const path = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  // PostgreSQL may run as another user, which has to reach its own folders inside.
  chmodSync(path, 0o711);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = path;
  return {
    path,
    remove: () => {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Containers often mount it with 64 MB, or without the right to execute PostgreSQL from it. */
function canUseMemory(): boolean {
  try {
    const mount = readMounts().findLast(([, target]) => target === memoryFolder);
    const { bavail, bsize } = statfsSync(memoryFolder);
    return (
      mount?.[2] === 'tmpfs' && !/\bnoexec\b/.test(mount[3]!) && bavail * bsize > requiredBytes
    );
  } catch {
    return false;
  }
}

/** The device, the target, the type and the options of each mount. */
function readMounts(): string[][] {
  const lines = readFileSync('/proc/mounts', 'utf8').split('\n');
  return lines.map((line) => line.split(' '));
}

/** The small disks of a killed run. */
function unmountWithin(folder: string): void {
  try {
    for (const [, target] of readMounts())
      if (target?.startsWith(`${folder}/`)) execFileSync('umount', [target], { stdio: 'ignore' });
  } catch {
    // Not on Linux, or without the right to. What is still mounted is named where it is removed.
  }
}

/** A killed run removes nothing; the next run does, except what a live process holds. */
async function removeAbandonedFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : 0;
    if (!pid || (await isRunning(pid))) continue;
    const abandoned = join(parent, name);
    const homes = (await readdir(abandoned).catch(() => [])).map((inner) => join(abandoned, inner));
    for (const home of [abandoned, ...homes]) await stopOrphans(join(home, 'pgdata'));
    unmountWithin(abandoned);
    rmSync(abandoned, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
    const command = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'node');
    return /node|vitest|MainThread/i.test(command);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
