import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transformWithOxc, type Plugin } from 'vite';

const source = fileURLToPath(new URL('./src/offline/worker.ts', import.meta.url));

/**
 * Writes the service worker beside the document. It is one file without imports, and contains the
 * hash of all file names, so that it changes with every build.
 */
export function serviceWorker(): Plugin {
  return {
    name: 'toprung-service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const build = hash('sha256', Object.keys(bundle).toSorted().join('\n')).slice(0, 16);
        const { code } = await transformWithOxc(await readFile(source, 'utf8'), source, {
          target: 'es2022',
        });
        if (/^(?:import|export)\b/m.test(code)) throw new Error(`${source} must be one script`);
        this.emitFile({
          type: 'asset',
          fileName: 'service-worker.js',
          source: code.replace('__BUILD__', build),
        });
      },
    },
  };
}
