/**
 * The server build. Left out are packages that are binaries, that read files beside their own, that
 * start threads, or that an idle process never loads.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const leftOut = [
  '@aws-sdk/client-s3',
  '@bull-board/api',
  '@bull-board/fastify',
  '@node-rs/argon2',
  '@scalar/fastify-api-reference',
  'msgpackr-extract',
  'tinypool',
];
const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const hexOf = (unit: string) => unit.charCodeAt(0).toString(16).padStart(4, '0');

/** Node keeps sources in memory, and takes twice as much for text beyond Latin-1. */
const asciiOnly: Plugin = {
  name: 'toprung-ascii-only',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk')
        chunk.code = chunk.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${hexOf(unit)}`);
  },
};

/** Exports that load large parts of Node when they are read, which an import of the module does. */
const costly: Record<string, readonly string[]> = {
  'node:fs': ['Utf8Stream'],
  'node:http': ['CloseEvent', 'MessageEvent', 'WebSocket'],
  'node:tls': ['rootCertificates'],
};
const builtinMark = '\0builtin:';

/** Imports of these modules read all of their exports but the costly ones, which we do not use. */
const lightBuiltins: Plugin = {
  name: 'toprung-light-builtins',
  enforce: 'pre',
  resolveId(id, _importer, { kind }) {
    const name = id.startsWith('node:') ? id : `node:${id}`;
    return name in costly && kind === 'import-statement' ? `${builtinMark}${name}` : undefined;
  },
  load(id) {
    if (!id.startsWith(builtinMark)) return undefined;
    const name = id.slice(builtinMark.length);
    const names = Object.keys(process.getBuiltinModule(name) as object).filter(
      (key) => !costly[name]!.includes(key),
    );
    return `const found = process.getBuiltinModule('${name}');
export default found;
export const { ${names.join(', ')} } = found;`;
  },
};

export default defineConfig({
  root: pathOf('../'),
  cacheDir: pathOf('../.tmp/vite-server'),
  publicDir: false,
  plugins: [lightBuiltins, asciiOnly],
  build: {
    ssr: true,
    target: 'node24',
    emptyOutDir: true,
    minify: false,
    rolldownOptions: {
      input: {
        program: pathOf('../src/cli/program.ts'),
        thread: pathOf('../src/boot/heavy-reads/thread.ts'),
        'parquet-process': pathOf('../src/boot/parquet/parquet-process.ts'),
        'history-thread': pathOf('../src/boot/file-threads/history-thread.ts'),
        'popularity-thread': pathOf('../src/boot/file-threads/popularity-thread.ts'),
        'backup-thread': pathOf('../src/boot/backups/backup-thread.ts'),
        'upload-thread': pathOf('../src/boot/backups/upload-thread.ts'),
      },
      // Node keeps sources in memory.
      output: {
        comments: false,
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
      },
    },
  },
  ssr: { noExternal: true, external: leftOut },
});
