// JavaScript, like src/cli/main.js: loading Node's TypeScript support takes 20 MB.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const buildFolder = join(root, 'dist', 'server');
/**
 * Names the build of sources that never change, as in an image: `npm run build -- --final`. Layers
 * of images do not keep the times of files.
 */
export const finalBuildFile = join(root, 'dist', 'final');
const sources = ['src', 'simulator', 'scripts/vite.config.ts', 'package.json', 'package-lock.json'];

/**
 * The URL of the built program; null when the sources have changed since the last build.
 * @returns {string | null}
 */
export function findServerBuild() {
  const stamp = existsSync(finalBuildFile) ? readFileSync(finalBuildFile, 'utf8') : stampSources();
  const program = join(buildFolder, stamp, 'program.js');
  return existsSync(program) ? pathToFileURL(program).href : null;
}

/**
 * Identifies the exact sources. Times are whole seconds, because archives and images keep no more.
 * @returns {string}
 */
export function stampSources() {
  const stamp = createHash('sha256');
  for (const file of sources.flatMap(listFiles)) {
    const { size, mtimeMs } = statSync(file);
    stamp.update(`${relative(root, file)} ${size} ${Math.floor(mtimeMs / 1_000)}\n`);
  }
  return stamp.digest('hex').slice(0, 16);
}

/**
 * @param {string} source
 * @returns {string[]}
 */
function listFiles(source) {
  const path = join(root, source);
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
