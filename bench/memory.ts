import { existsSync, readdirSync, readFileSync } from 'node:fs';
import {
  createDataDir,
  productEnvironment,
  removeDataDir,
  startWithNpm,
} from '#tests/harness/product.ts';
import type { Measurement } from './measurement.ts';
import { usedMs } from './processor-time.ts';

/**
 * V8 returns the memory that only the start needed in two collections, each 100 seconds after the
 * one before. Together they take as much of the processor as a minute of idling.
 */
const idleMs = 300_000;
const observedMs = 60_000;
const goalMb = 150;

/**
 * Memory and processor of `npm start` and its processes when idle. Pages shared among them count
 * once; pages of Node shared with other programs count in full, so that the figure fits any
 * machine.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  if (!existsSync('/proc/self/smaps')) return;
  const dataDir = await createDataDir();
  const environment = productEnvironment(dataDir, { baseUrl: 'http://127.0.0.1:9' });
  try {
    // The first start leaves a checkpoint and a vacuum of all that it has created.
    const first = await startWithNpm(environment);
    first.signalGroup('SIGTERM');
    await first.groupEnded();
    const product = await startWithNpm(environment);
    await fetch(product.webUrl);
    await new Promise((resolve) => setTimeout(resolve, idleMs));
    const processes = measureTree(listTree(product.pid));
    const busyPercent = await observeProcessor(listTree(product.pid));
    product.signalGroup('SIGTERM');
    await product.groupEnded();
    const sum = (part: (name: string) => boolean) =>
      processes.filter(({ name }) => part(name)).reduce((total, { mb }) => total + mb, 0);
    const isPostgres = (name: string) => name.includes('postgres');
    const isOurs = (name: string) => name.includes('src/cli/main.js') && !name.startsWith('sh ');
    yield {
      name: 'idle memory of npm start, whole process tree',
      scale: 'empty',
      measured: sum(() => true),
      unit: 'MB',
      goal: goalMb,
    };
    yield {
      name: `  of that our process`,
      scale: 'empty',
      measured: sum(isOurs),
      unit: 'MB',
      goal: null,
    };
    yield {
      name:
        `  of that PostgreSQL, ${processes.filter(({ name }) => isPostgres(name)).length} ` +
        'processes',
      scale: 'empty',
      measured: sum(isPostgres),
      unit: 'MB',
      goal: null,
    };
    yield {
      name: '  of that npm and its shell',
      scale: 'empty',
      measured: sum((name) => !isOurs(name) && !isPostgres(name)),
      unit: 'MB',
      goal: null,
    };
    yield {
      name: '  without npm, as the image and the units start it',
      scale: 'empty',
      measured: sum((name) => isOurs(name) || isPostgres(name)),
      unit: 'MB',
      goal: goalMb,
    };
    yield {
      name: 'idle processor of npm start, whole process tree',
      scale: 'empty',
      measured: busyPercent,
      unit: '% of a core',
      goal: 0.3,
    };
  } finally {
    await removeDataDir(dataDir);
  }
}

/** Processes that end meanwhile are not counted; those of PostgreSQL stay. */
async function observeProcessor(pids: readonly number[]): Promise<number> {
  const before = usedMs(pids);
  await new Promise((resolve) => setTimeout(resolve, observedMs));
  return ((usedMs(pids) - before) / observedMs) * 100;
}

/** A process and all its descendants. */
function listTree(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: parentOf(name) }));
  const below = (pid: number): number[] =>
    parents
      .filter(({ parent }) => parent === pid)
      .flatMap((child) => [child.pid, ...below(child.pid)]);
  return [root, ...below(root)];
}

/** 0 when it has ended meanwhile. */
function parentOf(pid: string): number {
  const stat = readProc(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

function nameOf(pid: number): string {
  return readProc(String(pid), 'cmdline').replaceAll('\0', ' ');
}

/** Anonymous pages by their share, a file's pages with the first process that has them. */
function measureTree(pids: readonly number[]): { name: string; mb: number }[] {
  const seen = new Map<string, number>();
  return pids.map((pid) => {
    let kb = 0;
    for (const mapping of readProc(String(pid), 'smaps').split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/)) {
      const [, , offset, , inode] = mapping.split(/\s+/, 5);
      const read = (name: string) =>
        Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(mapping)?.[1] ?? 0);
      if (inode === '0' || inode === undefined) {
        kb += read('Pss');
        continue;
      }
      const privateKb = read('Private_Clean') + read('Private_Dirty');
      const sharedKb = read('Rss') - privateKb;
      const key = `${inode} ${offset}`;
      kb += privateKb + Math.max(0, sharedKb - (seen.get(key) ?? 0));
      seen.set(key, Math.max(sharedKb, seen.get(key) ?? 0));
    }
    return { name: nameOf(pid), mb: kb / 1024 };
  });
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
