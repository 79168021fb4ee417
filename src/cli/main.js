#!/usr/bin/env node
// JavaScript, because loading Node's TypeScript support takes 20 MB, and the build needs none.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { findServerBuild } from '../boot/find-server-build.js';

// The compile cache makes the next start a third faster, so the program is loaded only after it is
// enabled.
enableCompileCache();

/**
 * In a process of its own, which needs TypeScript.
 * @returns {Promise<string | null>}
 */
async function makeBuild() {
  const builder = fileURLToPath(new URL('../boot/build-server-alone.ts', import.meta.url));
  await once(spawn(process.execPath, [builder], { stdio: 'inherit' }), 'exit');
  return findServerBuild();
}

const [, , command, ...others] = process.argv;
const serves = command === 'start' && !others.includes('--help') && !others.includes('-h');
const build = findServerBuild() ?? (serves ? await makeBuild() : null);
/** @type {{ run: () => Promise<void> }} */
const { run } = build === null ? await import('./program.ts') : await import(build);
await run();
