import { execFile } from 'node:child_process';
import { cpSync, readdirSync, symlinkSync, utimesSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = ['src', 'simulator', 'scripts/vite.config.ts', 'package.json', 'package-lock.json'];
const hook = `data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from 'node:module';
  registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) });`,
)}`;

async function copySources(): Promise<string> {
  const copy = await realpath(await mkdtemp(join(tmpdir(), 'toprung-build-')));
  onTestFinished(() => rm(copy, { recursive: true }));
  for (const path of sources) cpSync(join(root, path), join(copy, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** What `toprung --version` prints, and the folder from which the copy loads its program. */
async function runVersion(copy: string): Promise<{ version: string; from: string | undefined }> {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--import', hook, join(copy, 'src/cli/main.js'), '--version'],
    { env: { PATH: process.env.PATH } },
  );
  const program = stderr.split('\n').find((url) => /\/program\.(ts|js)$/.test(url));
  return {
    version: stdout.trim(),
    from:
      program &&
      fileURLToPath(program)
        .slice(copy.length + 1)
        .split('/')[0],
  };
}

/** Builds the server in a process of its own, and returns what it prints. */
async function build(copy: string): Promise<string> {
  const module = JSON.stringify(join(copy, 'src/boot/build-server.ts'));
  const script = `import(${module}).then(async ({ buildServer }) =>
    console.log(String(await buildServer(console.log))))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', script]);
  return stdout;
}

test('commands run from the build of their sources, and from changed sources', async () => {
  const copy = await copySources();
  const { version } = packageJson;
  expect(await runVersion(copy)).toEqual({ version, from: 'src' });

  const outputs = await Promise.all([build(copy), build(copy)]);
  expect(outputs.toSorted()).toEqual([
    expect.stringMatching(/^Building the server [^]*Server built in [^]*program\.js\n$/),
    'null\n',
  ]);
  expect(await runVersion(copy)).toEqual({ version, from: 'dist' });

  const changed = new Date('2026-01-01T00:00:00Z');
  utimesSync(join(copy, 'src/boot/start.ts'), changed, changed);
  expect(await runVersion(copy)).toEqual({ version, from: 'src' });
  expect(readdirSync(join(copy, 'dist/server'))).toHaveLength(1);
});
