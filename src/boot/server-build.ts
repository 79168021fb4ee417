/**
 * The server build: the program and its packages in a few files, which start in half the time and
 * take two thirds of the memory of their sources. A build belongs to the exact sources it was made
 * from; where there is none, the program runs from its sources.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'dist', 'server');
const sources = ['src', 'simulator', 'scripts/vite.config.ts', 'package.json', 'package-lock.json'];
/** Processes that run from an older build still load parts of it. */
const keptBuilds = 3;
/** A build takes seconds; one that has taken this long was killed. */
const abandonedAfterMs = 120_000;

/** The URL of the built program; null when the sources have changed since the last build. */
export function findServerBuild(): string | null {
  const program = join(folder, stampOf(listSources()), 'program.js');
  return existsSync(program) ? pathToFileURL(program).href : null;
}

/**
 * Builds the program and returns its URL; null, with a line for the user, when it cannot be built,
 * and null when another process is building it.
 */
export async function buildServer(say: (line: string) => void): Promise<string | null> {
  const stamp = stampOf(listSources());
  const staging = join(folder, `${stamp}.building`);
  try {
    if (!claim(staging)) return null;
    say('Building the server (once, takes some seconds) …');
    const started = performance.now();
    const { runVite } = await import('./run-vite.ts');
    const config = join(root, 'scripts', 'vite.config.ts');
    const code = await runVite(root, ['--config', config, '--outDir', staging]);
    if (code !== 0) throw new Error(`vite exited with ${code}`);
    renameSync(staging, join(folder, stamp));
    removeOldBuilds();
    say(`Server built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
    return pathToFileURL(join(folder, stamp, 'program.js')).href;
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    say(`The server runs from its sources, which takes more memory: ${(error as Error).message}`);
    return null;
  }
}

/** False while another process is building the same sources. */
function claim(staging: string): boolean {
  mkdirSync(folder, { recursive: true });
  const since = statSync(staging, { throwIfNoEntry: false })?.mtimeMs;
  if (since !== undefined && Date.now() - since > abandonedAfterMs)
    rmSync(staging, { recursive: true, force: true });
  try {
    mkdirSync(staging);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function removeOldBuilds(): void {
  const builds = readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => !path.endsWith('.building'))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const path of builds.slice(keptBuilds)) rmSync(path, { recursive: true, force: true });
}

function listSources(): string[] {
  return sources.flatMap((source) => {
    const path = join(root, source);
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted();
  });
}

/** Whole seconds, because archives and images keep no more of a file's time. */
function stampOf(files: readonly string[]): string {
  const stamp = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = statSync(file);
    stamp.update(`${relative(root, file)} ${size} ${Math.floor(mtimeMs / 1_000)}\n`);
  }
  return stamp.digest('hex').slice(0, 16);
}
