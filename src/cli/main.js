#!/usr/bin/env node
// JavaScript, because loading Node's TypeScript support takes 20 MB, and the build needs none.
import { enableCompileCache } from 'node:module';
import { findServerBuild } from '../boot/find-server-build.js';

// The compile cache makes the next start a third faster, so the program is loaded only after it is
// enabled.
enableCompileCache();

/** @returns {Promise<string | null>} */
async function makeBuild() {
  const { buildServer } = await import('../boot/build-server.ts');
  return buildServer(console.log);
}

const build = findServerBuild() ?? (process.argv[2] === 'start' ? await makeBuild() : null);
/** @type {{ run: () => Promise<void> }} */
const { run } = build === null ? await import('./program.ts') : await import(build);
await run();
