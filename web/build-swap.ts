import { rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { precompress } from './precompress.ts';

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const dist = pathOf('./dist');
/**
 * The name contains the process id, because two starts on a fresh checkout may compile at the same
 * time.
 */
const staging = pathOf(`../.tmp/web-${process.pid}`);
const tries = 5;

/**
 * Compiles beside `dist` and swaps the folders at the end, so that readers always see a complete
 * build. NODE_ENV is set during the build, because `test` would bundle React's development version.
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
      // Another build finished first; its folder is replaced too.
      if (attempt === tries) throw error;
      await rm(old, { recursive: true, force: true });
    }
  }
  await rm(old, { recursive: true, force: true });
}
