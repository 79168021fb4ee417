import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listServerPids } from '#embedded-postgres/server-processes.ts';
import { clusterName, findServerLocation } from '#embedded-postgres/server-location.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { until } from '../harness/load-recorder.ts';
import { copyMigratedDataDir } from '../harness/prepared-data-dir.ts';

keepOrder('the last test ends the process that the first one asks');

const root = fileURLToPath(new URL('../../', import.meta.url));
const startMs = 120_000;
/** The API’s response to a request without a credential. */
const refusal = 'The credential is missing, malformed, revoked or expired.';
let checkout: string;
let dataDir: string;
let child: ChildProcess;
let output = '';
let url: string;

/** The files of a fresh checkout after `npm ci`, so that the test may change them. */
beforeAll(async () => {
  checkout = await mkdtemp(join(tmpdir(), `toprung-test-${process.pid}-product-`));
  // The server's user has to reach its folder inside.
  await chmod(checkout, 0o711);
  dataDir = join(checkout, 'data');
  await copyMigratedDataDir(dataDir);
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const parts = ['src', 'web', 'scripts', 'package.json', 'tsconfig.json'];
  const paths = execFileSync('git', ['-c', 'safe.directory=*', ...listed, '--', ...parts], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const path of paths.split('\0').filter((one) => one !== '' && existsSync(root + one))) {
    await mkdir(join(checkout, dirname(path)), { recursive: true });
    await cp(join(root, path), join(checkout, path));
  }
  await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'));
  // A process group of its own, as a terminal makes one.
  child = spawn('npm', ['run', '--silent', 'dev'], {
    cwd: checkout,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '/tmp',
      LOG_LEVEL: 'warn',
      WEB_PORT: '0',
      DATA_DIR: dataDir,
    },
  });
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  await until(
    () => / for development: +http/.test(output) || child.exitCode !== null,
    startMs,
    'the address',
  );
  url = / for development: +(\S+)\//.exec(output)?.[1] ?? '';
}, startMs + 30_000);
afterAll(async () => {
  if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL');
  await rm(checkout, { recursive: true, force: true, maxRetries: 3 });
});

async function change(path: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(checkout, path), 'utf8');
  expect(text).toContain(from);
  await writeFile(join(checkout, path), text.replace(from, to));
}

const askApi = async (): Promise<string> =>
  fetch(`${url}/api/backend/errors`).then(
    (response) => response.text(),
    () => '',
  );

test('npm run dev reloads the server and the dashboard when their files change', async () => {
  expect(url, output).not.toBe('');
  expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain(
    '/src/main.tsx',
  );
  expect(await askApi(), output).toContain(refusal);
  await change('src/contract/errors.ts', refusal, 'Who are you?');
  await until(async () => (await askApi()).includes('Who are you?'), startMs, 'the new text');
  const updates = await listenForUpdates();
  expect(await (await fetch(`${url}/src/density.ts`)).text()).not.toContain('changed by a test');
  await change(
    'web/src/density.ts',
    'export ',
    "export const marker = 'changed by a test';\nexport ",
  );
  await until(() => updates.some((update) => update.includes('density.ts')), 30_000, 'an update');
  expect(await (await fetch(`${url}/src/density.ts`)).text()).toContain('changed by a test');
});

/** The messages that vite sends to a page to update or reload it. */
async function listenForUpdates(): Promise<string[]> {
  const script = await (await fetch(`${url}/@vite/client`)).text();
  const token = /wsToken = "([^"]+)"/.exec(script)![1]!;
  const socket = new WebSocket(`${url.replace('http', 'ws')}/?token=${token}`, 'vite-hmr');
  const messages: string[] = [];
  socket.addEventListener('message', ({ data }) => messages.push(String(data)));
  await until(() => messages.some((message) => message.includes('"connected"')), 30_000, 'vite');
  return messages;
}

test('Ctrl-C ends npm run dev with all its processes', async () => {
  const { home } = await findServerLocation(dataDir);
  const cluster = join(home, clusterName);
  expect(listServerPids(cluster)).not.toEqual([]);
  const exited = once(child, 'exit');
  process.kill(-child.pid!, 'SIGINT');
  await exited;
  await until(() => listServerPids(cluster).length === 0, 60_000, 'PostgreSQL to end');
  await expect(fetch(url)).rejects.toThrow();
  expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(checkout);
});
