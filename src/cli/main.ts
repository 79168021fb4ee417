#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { buildServer, findServerBuild } from '#boot/server-build.ts';
import type * as program from './program.ts';

// The compile cache makes the next start a third faster, so the program is loaded only after it is
// enabled.
enableCompileCache();
const isStart = process.argv[2] === 'start';
const build = findServerBuild() ?? (isStart ? await buildServer(console.log) : null);
const { run } =
  build === null ? await import('./program.ts') : ((await import(build)) as typeof program);
await run();
