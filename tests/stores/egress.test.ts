import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { exchange } from '#stores/exchange.ts';
import { fetchBody } from '#stores/egress/fetch.ts';
import { createEgressPool, type EgressPool } from '#stores/index.ts';
import { createCertificate, openssl } from '../harness/certificate.ts';
import { openStoreContext } from './store-context.ts';

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

/** The port of a server that is closed after the test. */
async function listen(server: Server, sockets: ReadonlySet<Socket> = new Set()): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  opened.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

function openPool(proxies: string[] = []): EgressPool {
  const pool = createEgressPool({ proxies });
  opened.push(() => pool.close());
  return pool;
}

const never = new AbortController().signal;
const ask = (pool: EgressPool, port: number, { timeoutMs = 20_000, signal = never } = {}) =>
  fetchBody({
    url: `https://localhost:${port}/`,
    method: 'GET',
    headers: {},
    body: null,
    dispatcher: pool.endpoints[0]!.dispatcher,
    signal,
    timeoutMs,
    maxBodyBytes: 1_000,
  });

/** Accepts connections and sends nothing. */
async function startSilentServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.resume();
  });
  return { port: await listen(server, sockets), sockets };
}

describe('a peer that accepts a connection and is silent', () => {
  test.each([
    ['host', (_port: number) => []],
    ['proxy', (port: number) => [`http://user:password@127.0.0.1:${port}`]],
    ['proxy over TLS', (port: number) => [`https://localhost:${port}`]],
  ])('as a %s holds no request longer than its limit', async (_kind, proxiesAt) => {
    const { port } = await startSilentServer();
    const pool = openPool(proxiesAt(port));
    const began = performance.now();
    await expect(ask(pool, port, { timeoutMs: 300 })).rejects.toMatchObject({ marker: 'timeout' });
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  test('holds no request that is aborted, and the reason is the caller’s', async () => {
    const { port, sockets } = await startSilentServer();
    const pool = openPool();
    const leaving = new AbortController();
    const asked = ask(pool, port, { signal: leaving.signal });
    await expect.poll(() => sockets.size).toBe(1);
    const began = performance.now();
    leaving.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    expect(performance.now() - began).toBeLessThan(5_000);
    await expect(ask(pool, port, { signal: leaving.signal })).rejects.toThrow('gone');
    expect(sockets.size).toBe(1);
  });

  test('as a proxy counts as failed, and its tunnel is given up', async () => {
    const { port, sockets } = await startSilentServer();
    const pool = openPool([`http://127.0.0.1:${port}`]);
    const { context, close } = openStoreContext('ios', 'https://localhost');
    opened.push(close);
    const endpoint = pool.endpoints[0]!.name;
    const request = {
      kind: 'search' as const,
      url: 'https://localhost/',
      headers: {},
      consentHeaders: null,
      read: () => null,
    };
    const grant = { store: 'ios' as const, host: '', endpoint, atUs: 0, strikes: 0 };
    const trace = { status: null, bytes: 0 };
    await expect(
      exchange({ ...context, egress: pool, timeoutMs: 300 }, request, grant, never, trace),
    ).rejects.toMatchObject({ failure: 'unavailable', marker: 'timeout' });
    expect(pool.health()).toMatchObject([{ name: endpoint, consecutiveFailures: 1 }]);
    const [socket] = sockets;
    await expect.poll(() => socket!.readableEnded, { timeout: 20_000 }).toBe(true);
  }, 30_000);
});

test('requests that fail while their endpoint is unavailable do not prolong that time', () => {
  let nowMs = 0;
  const notes: unknown[] = [];
  const pool = createEgressPool({
    proxies: [],
    nowMs: () => nowMs,
    onHealth: (health) => notes.push(health),
  });
  opened.push(() => pool.close());
  const failTogether = (requests: number) => {
    for (let index = 0; index < requests; index++) pool.failed('direct');
    return pool.health();
  };
  const unavailable = { name: 'direct', consecutiveFailures: 3, unavailableForMs: 60_000 };
  expect(failTogether(8)).toEqual([unavailable]);
  expect(notes).toHaveLength(3);
  // The only endpoint is tried while it is unavailable.
  nowMs = 59_000;
  expect(pool.usable()).toEqual(['direct']);
  expect(failTogether(8)).toEqual([{ ...unavailable, unavailableForMs: 1_000 }]);
  nowMs = 60_000;
  expect(failTogether(8)).toEqual([
    { ...unavailable, consecutiveFailures: 4, unavailableForMs: 120_000 },
  ]);
  expect(notes.at(-1)).toEqual({
    endpoint: 'direct',
    consecutiveFailures: 4,
    unavailableForMs: 120_000,
  });
  pool.worked('direct');
  expect(pool.health()).toEqual([{ ...unavailable, consecutiveFailures: 0, unavailableForMs: 0 }]);
});

if (openssl === undefined)
  console.info('openssl is not installed: dead connections over TLS are not tested');

describe.skipIf(openssl === undefined)('a connection that dies silently', () => {
  const usual = getCACertificates('default');
  let folder: string;
  let files: { cert: string; key: string };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'egress-'));
    const paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    createCertificate(paths.cert, paths.key);
    files = { cert: await readFile(paths.cert, 'utf8'), key: await readFile(paths.key, 'utf8') };
    setDefaultCACertificates([...usual, files.cert]);
  });
  afterAll(async () => {
    setDefaultCACertificates(usual);
    await rm(folder, { recursive: true });
  });

  async function startProxy({ isTls }: { isTls: boolean }) {
    const sockets = new Set<Socket>();
    const proxy = isTls ? createHttpsServer(files) : createHttpServer();
    proxy.on('connection', (socket: Socket) => void sockets.add(socket.on('error', () => {})));
    proxy.on('connect', (request: IncomingMessage, near: Duplex) => {
      const far = connect(Number(request.url!.split(':')[1]), 'localhost');
      sockets.add(far.on('error', () => {}));
      near.on('error', () => {}).write('HTTP/1.1 200 OK\r\n\r\n');
      near.pipe(far).pipe(near);
    });
    return `${isTls ? 'https' : 'http'}://localhost:${await listen(proxy, sockets)}`;
  }

  /** Serves HTTP/2 and HTTP/1.1; `cut` drops everything that its connections send from then on. */
  async function startRelayedServer() {
    const sockets = new Set<Socket>();
    const server = createSecureServer({ ...files, allowHTTP1: true }, ({ httpVersion }, response) =>
      response.end(httpVersion),
    );
    const behind = await listen(server, sockets);
    const relay = createServer((near) => {
      const far = connect(behind, 'localhost');
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(from);
        from.on('error', () => {}).pipe(to);
      }
    });
    const port = await listen(relay, sockets);
    const cut = () => {
      for (const socket of sockets) socket.unpipe().resume();
    };
    return { port, cut };
  }

  test.each([
    ['direct', []],
    ['through a proxy', [{ isTls: false }]],
    ['through a proxy over TLS', [{ isTls: true }]],
  ])('costs at most one request, %s', async (_kind, proxies) => {
    const { port, cut } = await startRelayedServer();
    const pool = openPool(await Promise.all(proxies.map(startProxy)));
    expect(await ask(pool, port)).toMatchObject({ status: 200, body: '1.1' });
    cut();
    const outcomes: unknown[] = [];
    for (let request = 0; request < 3; request++)
      outcomes.push(await ask(pool, port, { timeoutMs: 2_000 }).catch(({ marker }) => marker));
    expect(outcomes.filter((outcome) => outcome === 'timeout').length).toBeLessThanOrEqual(1);
    expect(outcomes.at(-1)).toMatchObject({ status: 200 });
  });
});
