import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../harness/load-recorder.ts';
import packageJson from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = ['src', 'simulator', 'scripts/vite.config.ts', 'package.json', 'package-lock.json'];
const hook = `data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from 'node:module';
  registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) });`,
)}`;

async function copySources(paths = sources): Promise<string> {
  const copy = await realpath(await mkdtemp(join(tmpdir(), 'toprung-build-')));
  onTestFinished(() => rm(copy, { recursive: true }));
  for (const path of paths) cpSync(join(root, path), join(copy, path), { recursive: true });
  return copy;
}

/** What a command prints, and the folder from which the copy loads its program. */
async function runCopy(
  copy: string,
  ...args: string[]
): Promise<{ output: string; from: string | undefined }> {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--import', hook, join(copy, 'src/cli/main.js'), ...args],
    { env: { PATH: process.env.PATH } },
  );
  const program = stderr.split('\n').find((url) => /\/program\.(ts|js)$/.test(url));
  return {
    output: stdout.trim(),
    from:
      program &&
      fileURLToPath(program)
        .slice(copy.length + 1)
        .split('/')[0],
  };
}

/** Builds the server in a process of its own, after `before`, and returns what it prints. */
async function build(copy: string, before = ''): Promise<string> {
  const module = JSON.stringify(join(copy, 'src/boot/build-server.ts'));
  const script = `${before} import(${module}).then(async ({ buildServer }) =>
    console.log(String(await buildServer(console.log))))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', script]);
  return stdout;
}

test('commands run from the build of their sources, and from changed sources', async () => {
  const copy = await copySources();
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const runVersion = () => runCopy(copy, '--version');
  const output = packageJson.version;
  expect(await runVersion()).toEqual({ output, from: 'src' });
  // The help of `start` needs no build, unlike `start` itself.
  for (const flag of ['--help', '-h'])
    expect(await runCopy(copy, 'start', flag)).toEqual({
      output: expect.stringMatching(/^Usage: toprung start/),
      from: 'src',
    });
  expect(existsSync(join(copy, 'dist'))).toBe(false);

  const outputs = await Promise.all([build(copy), build(copy)]);
  expect(outputs.toSorted()).toEqual([
    expect.stringMatching(/^Building the server [^]*Server built in [^]*program\.js\n$/),
    'null\n',
  ]);
  expect(await runVersion()).toEqual({ output, from: 'dist' });

  const changed = new Date('2026-01-01T00:00:00Z');
  utimesSync(join(copy, 'src/boot/start.ts'), changed, changed);
  expect(await runVersion()).toEqual({ output, from: 'src' });
  expect(readdirSync(join(copy, 'dist/server'))).toHaveLength(1);
});

test('a build that takes long is not begun a second time, one that was killed is', async () => {
  const parts = ['build-server.ts', 'find-server-build.js', 'run-vite.ts'];
  const copy = await copySources([
    ...parts.map((name) => `src/boot/${name}`),
    ...sources.filter((path) => path.includes('.')),
  ]);
  for (const folder of ['simulator', 'node_modules/vite/bin'])
    mkdirSync(join(copy, folder), { recursive: true });
  // It takes until `end` is there, or until the test has ended, and then fails.
  writeFileSync(
    join(copy, 'node_modules/vite/bin/vite.js'),
    `const { existsSync } = require('node:fs');
     setInterval(() => (existsSync('end') || !existsSync('src')) && process.exit(1), 20);`,
  );
  const folder = join(copy, 'dist/server');
  const age = () => Math.round((Date.now() - statSync(staging).mtimeMs) / 60_000);
  const grow = () => utimesSync(staging, new Date(), new Date(Date.now() - 180_000));

  const hurried = 'const { setInterval: set } = globalThis; setInterval = (run) => set(run, 20);';
  const first = build(copy, hurried);
  await until(() => existsSync(folder) && readdirSync(folder).length > 0, 30_000, 'its beginning');
  const staging = join(folder, readdirSync(folder)[0]!);
  grow();
  await expect.poll(age).toBe(0);
  expect(await build(copy)).toBe('null\n');
  writeFileSync(join(copy, 'end'), '');
  expect(await first).toMatch(/^Building the server [^]*vite exited with 1\nnull\n$/);

  mkdirSync(staging);
  expect(await build(copy)).toBe('null\n');
  grow();
  expect(await build(copy)).toMatch(/^Building the server /);
}, 60_000);
