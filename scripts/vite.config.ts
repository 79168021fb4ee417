/**
 * The server build. Left out are packages that are binaries, that read files beside their own, or
 * that start threads.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const leftOut = [
  '@bull-board/api',
  '@bull-board/fastify',
  '@node-rs/argon2',
  '@scalar/fastify-api-reference',
  'msgpackr-extract',
  'tinypool',
];
const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: pathOf('../'),
  cacheDir: pathOf('../.tmp/vite-server'),
  publicDir: false,
  build: {
    ssr: true,
    target: 'node24',
    emptyOutDir: true,
    minify: false,
    rolldownOptions: {
      input: {
        program: pathOf('../src/cli/program.ts'),
        thread: pathOf('../src/boot/heavy-reads/thread.ts'),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  ssr: { noExternal: true, external: leftOut },
});
