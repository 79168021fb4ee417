#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// The compile cache makes the next start a third faster, so the program is loaded only after it is
// enabled.
enableCompileCache();
const { run } = await import('./program.ts');
await run();
