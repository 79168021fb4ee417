import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { buildFolder, findServerBuild, root, stampSources } from './find-server-build.js';
import { runVite } from './run-vite.ts';

/** Processes that run from an older build still load parts of it. */
const keptBuilds = 3;
/** A build renews the time of its folder while it runs; one that does not was killed. */
const renewEveryMs = 10_000;
const abandonedAfterMs = 120_000;

/**
 * Builds the program and its packages into a few files, which start in half the time and take half
 * the memory of their sources. Returns the URL of the program; null, with a line for the user, when
 * it cannot be built, and null when another process is building it.
 */
export async function buildServer(say: (line: string) => void): Promise<string | null> {
  const stamp = stampSources();
  const staging = join(buildFolder, `${stamp}.building`);
  try {
    if (!claim(staging)) return null;
    say('Building the server (once, takes some seconds) …');
    const started = performance.now();
    const config = join(root, 'scripts', 'vite.config.ts');
    const code = await whileRenewing(staging, () =>
      runVite(root, ['--config', config, '--outDir', staging]),
    );
    if (code !== 0) throw new Error(`vite exited with ${code}`);
    renameSync(staging, join(buildFolder, stamp));
    removeOldBuilds();
    say(`Server built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
    return findServerBuild();
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    say(`The server runs from its sources, which takes more memory: ${(error as Error).message}`);
    return null;
  }
}

/** False while another process is building the same sources. */
function claim(staging: string): boolean {
  mkdirSync(buildFolder, { recursive: true });
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

async function whileRenewing<T>(staging: string, work: () => Promise<T>): Promise<T> {
  const renewal = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(staging, now, now);
    } catch {
      // Without the folder the build fails by itself.
    }
  }, renewEveryMs);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
  }
}

function removeOldBuilds(): void {
  const builds = readdirSync(buildFolder)
    .map((name) => join(buildFolder, name))
    .filter((path) => !path.endsWith('.building'))
    .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const path of builds.slice(keptBuilds)) rmSync(path, { recursive: true, force: true });
}
