import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { Server as NetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '#config/env.ts';
import { buildGateway } from '#gateway/server.ts';
import { listenOnSocket } from '#lib/listen-on-socket.ts';
import { silentLogger } from '#lib/logger.ts';
import { SetupError } from '#lib/setup-error.ts';

let folder: string;
let api: Server;
let gateway: Awaited<ReturnType<typeof buildGateway>>;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toprung-base-path-'));
  const document = '<html lang="en"><script src="/head.js"></script><a href="//cdn">x</a>';
  await writeFile(join(folder, 'index.html'), document);
  await writeFile(join(folder, 'head.js'), 'head');
  api = createServer((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: '/login' }).end();
    else response.end(JSON.stringify([request.url, request.headers['x-forwarded-prefix']]));
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const { port } = api.address() as { port: number };
  gateway = await buildGateway({
    apiUrl: `http://127.0.0.1:${port}`,
    webDist: folder,
    trustProxy: [],
    publicUrl: 'https://example.org/tools/aso',
    log: silentLogger,
  });
  url = await gateway.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await gateway.close();
  await new Promise((resolve) => api.close(resolve));
  await rm(folder, { recursive: true });
});

const read = async (path: string) => {
  const response = await fetch(`${url}${path}`, {
    redirect: 'manual',
    headers: { accept: 'text/html' },
  });
  return { response, text: await response.text() };
};

test('the same is served whether or not a proxy removes the path', async () => {
  for (const path of [
    '/tools/aso',
    '/tools/aso/',
    '/tools/aso?a=1',
    '/tools/aso/apps/1',
    '/',
    '/apps/1',
  ]) {
    const { response, text } = await read(path);
    expect([path, response.status, response.headers.get('cache-control'), text]).toEqual([
      path,
      200,
      'no-cache',
      '<html data-base-path="/tools/aso" lang="en"><script src="/tools/aso/head.js"></script>' +
        '<a href="//cdn">x</a>',
    ]);
  }
  for (const path of ['/tools/aso/head.js', '/head.js'])
    expect((await read(path)).text).toBe('head');
  for (const path of ['/tools/aso/api/backend/apps?a=1', '/api/backend/apps?a=1'])
    expect(JSON.parse((await read(path)).text)).toEqual(['/apps?a=1', '/tools/aso/api/backend']);
});

test('a redirect of the API leads below the path', async () => {
  const { response } = await read('/tools/aso/api/backend/away');
  expect(response.headers.get('location')).toBe('/tools/aso/api/backend/login');
});

test('a longer name and a deeper copy of the path are other addresses', async () => {
  for (const path of [
    '/tools/asos/head.js',
    '/x/tools/aso/head.js',
    '/tools/aso/tools/aso/head.js',
  ])
    expect([path, (await read(path)).text]).not.toEqual([path, 'head']);
});

test('PUBLIC_URL has at most two plain folders, and nothing behind them', () => {
  const of = (PUBLIC_URL: string) => readConfig({ PUBLIC_URL }).PUBLIC_URL;
  expect(of('https://ASO.example.org/')).toBe('https://aso.example.org');
  expect(of('https://example.org/tools/aso/')).toBe('https://example.org/tools/aso');
  for (const path of ['/a/b/c', '/a%2Fb', '/a b', '/a"b', '/../x/y/z', '/?a=1', '/#a', '//a'])
    expect(() => of(`https://example.org${path}`), path).toThrow(/PUBLIC_URL/);
  expect(() => of('https://me:secret@example.org')).toThrow(/PUBLIC_URL/);
});

const listenerOf = (server: NetServer) => ({
  listen: (options: { path: string }) =>
    new Promise<string>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options, () => resolve(''));
    }),
});

test('a socket in a directory that is missing or closed is a setting to correct', async () => {
  const listener = listenerOf(createServer());
  for (const path of [join(folder, 'missing', 'web.sock'), '/proc/web.sock']) {
    const listening = listenOnSocket(listener, path, 'WEB_SOCKET');
    await expect(listening).rejects.toThrow(SetupError);
    await expect(listening).rejects.toThrow(`WEB_SOCKET cannot be ${path}: its directory`);
  }
});

test('a socket that is left over is replaced; one in use and another file stay', async () => {
  const path = join(folder, 'web.sock');
  const server = createServer();
  const listener = listenerOf(server);
  await listenOnSocket(listener, path, 'WEB_SOCKET');
  await expect(listenOnSocket(listener, path, 'WEB_SOCKET')).rejects.toThrow(
    /Another process listens/,
  );
  await expect(listenOnSocket(listener, join(folder, 'head.js'), 'WEB_SOCKET')).rejects.toThrow(
    /not a socket/,
  );
  await new Promise((resolve) => server.close(resolve));
  // A killed process leaves its socket behind.
  const leave = `require('net').createServer().listen(${JSON.stringify(path)},()=>process.kill(process.pid,9))`;
  expect(() => execFileSync(process.execPath, ['-e', leave], { stdio: 'ignore' })).toThrow();
  await listenOnSocket(listener, path, 'WEB_SOCKET');
  await new Promise((resolve) => server.close(resolve));
});
