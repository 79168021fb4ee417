// JavaScript, like src/cli/main.js: loading Node's TypeScript support takes 20 MB.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// An import would load parts of Node that only its exports need, for 40 ms.
const { existsSync, readdirSync, readFileSync, statSync } = process.getBuiltinModule('node:fs');

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const buildFolder = join(root, 'dist', 'server');
/**
 * Names the build of sources that never change, as in an image: `npm run build -- --final`. Layers
 * of images do not keep the times of files.
 */
export const finalBuildFile = join(root, 'dist', 'final');
const folders = ['src', 'simulator'];
const files = ['scripts/vite.config.ts', 'package.json', 'package-lock.json'];

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
 * Each start waits for this, so no file costs more than one call of the system.
 * @returns {string}
 */
export function stampSources() {
  /** @type {string[]} */
  const lines = [];
  for (const folder of folders) addFolder(folder, lines);
  for (const file of files) addFile(file, lines);
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);
}

/**
 * @param {string} folder
 * @param {string[]} lines
 */
function addFolder(folder, lines) {
  const entries = readdirSync(`${root}${folder}`, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) addFolder(path, lines);
    else if (entry.isFile()) addFile(path, lines);
  }
}

/**
 * @param {string} path
 * @param {string[]} lines
 */
function addFile(path, lines) {
  const { size, mtimeMs } = statSync(`${root}${path}`);
  lines.push(`${path} ${size} ${Math.floor(mtimeMs / 1_000)}`);
}
