import { existsSync, readdirSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { resolveSource } from '#lib/resolve-source.ts';
import { SetupError } from '#lib/setup-error.ts';
import { finalBuildFile } from './find-server-build.js';
import { runVite } from './run-vite.ts';

const root = join(dirname(resolveSource('#boot/dashboard-build.ts')), '..', '..');
export const webDist = join(root, 'web', 'dist');
const sources = [
  'web/src',
  'web/public',
  'web/index.html',
  'web/vite.config.ts',
  'src/client',
  'src/contract',
  'src/lib',
  'package-lock.json',
];

/**
 * Builds the dashboard when it is missing or older than its sources. Needs the devDependencies that
 * npm ci installs.
 */
export async function ensureDashboard(say: (line: string) => void): Promise<void> {
  if (!(await isStale())) return;
  say('Building the dashboard (once, takes some seconds) …');
  const started = performance.now();
  const code = await runVite(root, ['--config', join(root, 'web', 'vite.config.ts')]);
  if (code !== 0)
    throw new SetupError(
      `The dashboard could not be built (vite exited with ${code}). Run npm ci, then try again.`,
    );
  say(`Dashboard built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
}

async function isStale(): Promise<boolean> {
  const built = await stat(join(webDist, 'index.html')).catch(() => null);
  if (!built) return true;
  if (existsSync(finalBuildFile)) return false;
  return Math.max(...sources.map((path) => newestIn(join(root, path)))) > built.mtimeMs;
}

/** Each start waits for this, and as many promises would take twice the processor time. */
function newestIn(path: string): number {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (!entry?.isDirectory()) return entry?.mtimeMs ?? 0;
  const files = readdirSync(path, { recursive: true, withFileTypes: true });
  return files.reduce(
    (newest, file) =>
      file.isDirectory()
        ? newest
        : Math.max(newest, statSync(join(file.parentPath, file.name)).mtimeMs),
    0,
  );
}
