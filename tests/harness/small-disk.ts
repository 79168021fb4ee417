import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  path: string;
  /** Leaves no free byte, and takes again what is freed meanwhile. */
  fill(): void;
  /** Frees what `fill` took. */
  free(): void;
  remove(): void;
}

const chunk = Buffer.alloc(1024 ** 2);

/** A file system of its own in memory; null where this process may not mount one. */
export function mountSmallDisk(size: string): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), `toprung-test-${process.pid}-disk-`));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path], {
      stdio: 'ignore',
    });
  } catch {
    rmSync(path, { recursive: true });
    return null;
  }
  chmodSync(path, 0o711);
  const filler = join(path, 'filler');
  return {
    path,
    fill: () => fillFile(filler),
    free: () => rmSync(filler, { force: true }),
    remove: () => {
      execFileSync('umount', ['--lazy', path]);
      rmSync(path, { recursive: true });
    },
  };
}

function fillFile(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (let bytes = chunk.length; bytes >= 512;) {
      try {
        writeSync(file, chunk, 0, bytes);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        bytes /= 2;
      }
    }
  } finally {
    closeSync(file);
  }
}
