import { rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { precompress } from './precompress.ts';

const place = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const dist = place('./dist');
/** Of this process alone: two starts on a fresh checkout compile at the same time. */
const staging = place(`../.tmp/web-${process.pid}`);
const tries = 5;

/**
 * Compiles beside `dist` and swaps at the end: whoever serves or reads the folder meanwhile finds it whole.
 * NODE_ENV is set for the length of the build: `test` would ship React's development half.
 */
export function buildForUse(): Plugin {
  const before = process.env.NODE_ENV;
  return {
    name: 'toprung-build-for-use',
    apply: 'build',
    config() {
      process.env.NODE_ENV = 'production';
      return { build: { outDir: staging, emptyOutDir: true } };
    },
    writeBundle: {
      order: 'post',
      sequential: true,
      handler: async () => {
        await precompress(staging);
        await swap();
      },
    },
    closeBundle() {
      if (before === undefined) delete process.env.NODE_ENV;
      else process.env.NODE_ENV = before;
    },
  };
}

async function swap(): Promise<void> {
  const old = `${staging}-old`;
  for (let attempt = 1; ; attempt++) {
    await rename(dist, old).catch(() => undefined);
    try {
      await rename(staging, dist);
      break;
    } catch (error) {
      // Another build was quicker by a moment; its folder makes way too.
      if (attempt === tries) throw error;
      await rm(old, { recursive: true, force: true });
    }
  }
  await rm(old, { recursive: true, force: true });
}
