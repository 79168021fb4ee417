import { once } from 'node:events';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationList } from '#contract/index.ts';
import { errorEnvelope } from '#contract/errors.ts';
import { buildGateway, type GatewayOptions } from '#gateway/server.ts';
import { silentLogger } from '#lib/logger.ts';
import { startApi, testPassword, type TestApi } from '../harness/api.ts';

let api: TestApi;
let webDist: string;
let gateway: FastifyInstance;
let url: string;
const started: FastifyInstance[] = [];
const ownApis: TestApi[] = [];
const apiOptions = { config: { signUp: 'invite', gatewayKey: 'between-us' } } as const;

async function startGateway(options: Partial<GatewayOptions> = {}): Promise<string> {
  const app = await buildGateway({
    apiUrl: api.url,
    webDist,
    trustProxy: [],
    publicUrl: null,
    log: silentLogger,
    ...options,
  });
  started.push(app);
  gateway = app;
  return app.listen({ port: 0, host: '127.0.0.1' });
}

/** For a test that changes what others see: an account, a throttle. */
async function startOwnApi(): Promise<{ url: string; apiUrl: string }> {
  const own = await startApi(apiOptions);
  ownApis.push(own);
  const gatewayUrl = await startGateway({ apiUrl: own.url, gatewayKey: 'between-us' });
  return { url: gatewayUrl, apiUrl: own.url };
}

beforeAll(async () => {
  webDist = await mkdtemp(join(tmpdir(), 'toprung-web-'));
  await mkdir(join(webDist, 'assets'));
  await writeFile(join(webDist, 'index.html'), '<!doctype html><title>Toprung</title>');
  await writeFile(join(webDist, 'head.js'), '1');
  await writeFile(join(webDist, 'assets/main-abc123.js'), 'console.log("plain")');
  await writeFile(join(webDist, 'assets/main-abc123.js.gz'), gzipSync('console.log("zipped")'));
  await writeFile(join(webDist, '.secret'), 'x');
  api = await startApi(apiOptions);
  url = await startGateway({ gatewayKey: 'between-us' });
});
afterAll(async () => {
  for (const app of started) await app.close();
  for (const one of [api, ...ownApis]) await one.close();
  await rm(webDist, { recursive: true });
});

/** Sends the bytes of a request; the response up to the end of its JSON. */
function sendText(target: string, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(target).port), '127.0.0.1', () => socket.write(text));
    let seen = '';
    socket.on('data', (chunk) => {
      seen += chunk.toString();
      if (/\r\n\r\n.*\}/s.test(seen)) socket.destroy();
    });
    socket.on('close', () => resolve(seen));
  });
}

/** An API that only repeats what it receives. */
async function startMirror(): Promise<{
  server: Server;
  address: string;
  seen: IncomingMessage[];
}> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    request.resume();
    if (request.url === '/away') response.writeHead(302, { location: '/login' }).end();
    else if (request.url === '/busy') response.writeHead(429, { 'retry-after': '7' }).end('{}');
    else response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    server,
    seen,
    address: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
  };
}

test('dashboard addresses return uncached pages; hashed files are cached for ever', async () => {
  for (const path of ['/', '/apps/1/keywords?country=us', '/settings']) {
    const response = await fetch(`${url}${path}`, { headers: { accept: 'text/html,*/*' } });
    expect([
      path,
      response.status,
      await response.text(),
      response.headers.get('cache-control'),
    ]).toEqual([path, 200, expect.stringContaining('Toprung'), 'no-cache']);
  }
  const asset = await fetch(`${url}/assets/main-abc123.js`);
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(asset.headers.get('content-encoding')).toBe('gzip');
  expect(await asset.text()).toContain('zipped');
});

test('missing files and routes get a JSON 404, and so do hidden files', async () => {
  for (const path of [
    '/assets/gone.js',
    '/api/other',
    '/.secret',
    '/..%2fpackage.json',
    '/assets/..%2f..%2fetc/passwd',
  ]) {
    const response = await fetch(`${url}${path}`, { headers: { accept: '*/*' } });
    const body = errorEnvelope.parse(await response.json());
    expect([path, [400, 404].includes(body.statusCode)]).toEqual([path, true]);
  }
});

test('pages allow no inline scripts or other hosts, and http is not upgraded', async () => {
  const { headers } = await fetch(url);
  const policy = headers.get('content-security-policy')!;
  expect(policy).not.toMatch(/unsafe|https?:|upgrade-insecure/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(headers.get('strict-transport-security')).toBeNull();
  const secure = await startGateway({ publicUrl: 'https://aso.example.org' });
  expect((await fetch(secure)).headers.get('strict-transport-security')).toBe('max-age=31536000');
});

test('Authorization and Cookie pass unchanged; the client’s address is set anew', async () => {
  const mirror = await startMirror();
  const front = await startGateway({ apiUrl: mirror.address, gatewayKey: 'k' });
  await fetch(`${front}/api/backend/apps/1?x=%2F%20&y=1`, {
    headers: {
      authorization: 'Bearer toprung_x',
      cookie: 'a=b; c="d"',
      'x-forwarded-for': '9.9.9.9',
      'x-forwarded-proto': 'https',
      'x-toprung-gateway': 'guess',
      'x-toprung-direct': '1',
      forwarded: 'for=1.1.1.1',
    },
  });
  const { url: path, headers } = mirror.seen[0]!;
  expect(path).toBe('/apps/1?x=%2F%20&y=1');
  expect(headers).toMatchObject({
    authorization: 'Bearer toprung_x',
    cookie: 'a=b; c="d"',
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-toprung-gateway': 'k',
    'x-toprung-direct': '0',
  });
  expect(headers.forwarded).toBeUndefined();
  const away = await fetch(`${front}/api/backend/away`, { redirect: 'manual' });
  expect(away.headers.get('location')).toBe('/api/backend/login');
  const busy = await fetch(`${front}/api/backend/busy`);
  expect([busy.status, busy.headers.get('retry-after'), mirror.seen.length]).toEqual([429, '7', 3]);
  mirror.server.close();
});

test('the client’s address is taken from a trusted proxy and no other', async () => {
  const mirror = await startMirror();
  const front = await startGateway({ apiUrl: mirror.address, trustProxy: ['127.0.0.1'] });
  await fetch(`${front}/api/backend/x`, {
    headers: {
      'x-forwarded-for': '6.6.6.6, 203.0.113.8',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'aso.example.org',
    },
  });
  expect(mirror.seen[0]!.headers).toMatchObject({
    'x-forwarded-for': '203.0.113.8',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'aso.example.org',
    'x-toprung-direct': '0',
  });
  await fetch(`${front}/api/backend/x`, {
    headers: {
      'x-forwarded-for': '203.0.113.8',
      'x-forwarded-proto': 'http, https',
      'x-forwarded-host': 'evil.example, aso.example.org',
    },
  });
  expect(mirror.seen[1]!.headers).toMatchObject({
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'aso.example.org',
  });
  const open = await startGateway({ apiUrl: mirror.address });
  await fetch(`${open}/api/backend/x`, { headers: { 'x-forwarded-host': 'evil.example' } });
  expect(mirror.seen[2]!.headers['x-forwarded-host']).toBe(new URL(open).host);
  mirror.server.close();
});

test('an unreachable API is a 503 in JSON with Retry-After, at once', async () => {
  const front = await startGateway({ apiUrl: 'http://127.0.0.1:1' });
  const response = await fetch(`${front}/api/backend/workspace`);
  expect(response.headers.get('retry-after')).toBe('2');
  expect(errorEnvelope.parse(await response.json())).toMatchObject({
    statusCode: 503,
    code: 'unavailable',
    retryAfterSeconds: 2,
  });
});

test('the first account is created through the gateway from this machine', async () => {
  const { url } = await startOwnApi();
  const headers = { 'content-type': 'application/json', origin: url };
  const body = JSON.stringify({ email: 'one@example.org', password: testPassword });
  const proxied = await fetch(`${url}/api/backend/auth/sign-up`, {
    method: 'POST',
    headers: { ...headers, 'x-forwarded-for': '127.0.0.1' },
    body,
  });
  expect(proxied.status).toBe(403);
  const up = await fetch(`${url}/api/backend/auth/sign-up`, { method: 'POST', headers, body });
  expect(up.status).toBe(201);
  const cookie = up.headers.get('set-cookie')!.split(';')[0]!;
  const whoami = await fetch(`${url}/api/backend/auth/session`, { headers: { cookie } });
  expect(await whoami.json()).toMatchObject({
    user: { email: 'one@example.org' },
    role: 'owner',
    credential: 'session',
  });
  const renamed = await fetch(`${url}/api/backend/workspace`, {
    method: 'PATCH',
    headers: { ...headers, cookie },
    body: '{"name":"Ours"}',
  });
  expect(renamed.status).toBe(200);
  const foreign = await fetch(`${url}/api/backend/workspace`, {
    method: 'PATCH',
    headers: { ...headers, cookie, origin: 'https://evil.example.org' },
    body: '{"name":"Theirs"}',
  });
  expect(foreign.status).toBe(403);
});

test.each([
  ['HTTP/1.0 with a local Host, as some reverse proxies send', '1.0', 'Host: 127.0.0.1\r\n'],
  ['HTTP/1.0 without Host', '1.0', ''],
  ['an empty Host', '1.1', 'Host:\r\n'],
])('the first account is not created by %s', async (_name, version, host) => {
  const { url, apiUrl } = await startOwnApi();
  const body = JSON.stringify({ email: 'one@example.org', password: testPassword });
  const signUp = (target: string) =>
    sendText(
      target,
      `POST ${target === url ? '/api/backend' : ''}/auth/sign-up HTTP/${version}\r\n${host}` +
        `Content-Type: application/json\r\nConnection: close\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
  for (const target of [url, apiUrl]) {
    const response = await signUp(target);
    expect(response).toMatch(/^HTTP\/1.1 403 /);
    expect(response).toContain('setup token');
  }
});

test('only the digest page may be framed, and only by our pages', async () => {
  const { headers } = await api.signUp();
  const framing = async (path: string) => {
    const response = await fetch(`${url}/api/backend${path}`, {
      headers: { ...headers, origin: url },
    });
    expect([path, response.status]).toEqual([path, 200]);
    return [
      response.headers.get('x-frame-options'),
      /frame-ancestors '(\w+)'/.exec(response.headers.get('content-security-policy')!)![1],
    ];
  };
  expect(await framing('/digests/weekly?format=html')).toEqual(['SAMEORIGIN', 'self']);
  expect(await framing('/digests/weekly')).toEqual(['DENY', 'none']);
});

test('refusals of the API pass unchanged: 400, 401, 404, 405, 413, 415', async () => {
  const call = (path: string, init?: RequestInit) => fetch(`${url}/api/backend${path}`, init);
  const json = { 'content-type': 'application/json' };
  const responses = [
    [await call('/workspace'), 401],
    [await call('/docs'), 404],
    [await call('/nothing'), 404],
    [await call('/auth/sign-in', { method: 'PUT' }), 405],
    [
      await call('/auth/sign-in', {
        method: 'POST',
        body: 'x',
        headers: { 'content-type': 'text/plain' },
      }),
      415,
    ],
    [await call('/auth/sign-in', { method: 'POST', body: '{', headers: json }), 400],
    [
      await call('/auth/sign-in', {
        method: 'POST',
        body: JSON.stringify({ a: 'x'.repeat(300_000) }),
        headers: json,
      }),
      413,
    ],
  ] as const;
  for (const [response, status] of responses)
    expect(errorEnvelope.parse(await response.json()).statusCode).toBe(status);
});

test('own refusals have the caller’s rate limits, the API’s paths and issues', async () => {
  const metered = await startApi({ ...apiOptions, settings: { billingEnabled: true } });
  ownApis.push(metered);
  const front = await startGateway({ apiUrl: metered.url, gatewayKey: 'between-us' });
  const { secret } = await metered.token(await metered.signUp());
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const send = (path: string, body?: string, as: Record<string, string> = headers) =>
    fetch(`${front}${path}`, { headers: as, ...(body !== undefined && { method: 'POST', body }) });
  for (const [path, response] of [
    ['/tokens', await send('/api/backend/tokens', 'x'.repeat(300_000))],
    ['/apps/%E0%A4%A', await send('/api/backend/apps/%E0%A4%A')],
    ['/auth/state', await send('/api/backend/auth/state')],
  ] as const) {
    expect([path, response.headers.get('ratelimit-limit')]).toEqual([path, '40000']);
    expect(response.headers.get('ratelimit-policy')).toMatch(/^"day";q=40000;w=86400$/);
    if (response.ok) continue;
    const body = errorEnvelope.parse(await response.json());
    expect(body.path).toBe(path);
    if (response.status === 400) expect(body.issues).toHaveLength(1);
  }
  const stranger = await send('/api/backend/tokens', 'x'.repeat(300_000), {});
  expect([stranger.status, stranger.headers.get('ratelimit-limit')]).toEqual([413, null]);
});

test('the largest part of an import passes, and nothing larger', async () => {
  const { secret } = await api.token(await api.signUp());
  const put = (body: string) =>
    fetch(`${url}/api/backend/workspace/imports/parts/1`, {
      method: 'PUT',
      body,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    });
  const escaped = `{"text":"${String.raw`\u00e9`.repeat(250_000)}"}`;
  const response = await put(escaped);
  expect([response.status, await response.json()]).toEqual([200, { part: 1, bytes: 500_000 }]);
  expect((await put(escaped + ' '.repeat(20_000))).status).toBe(413);
});

test('the largest file of keywords passes and is read', async () => {
  const { secret } = await api.token(await api.signUp());
  const lines = 'phrase,country,more\\nhabit,us,';
  const body = `{"format":"csv","text":"${lines}${String.raw`\u00e9`.repeat(249_900)}"}`;
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const send = (more = '') =>
    fetch(`${url}/api/backend/apps/999999/keywords/import`, {
      method: 'POST',
      body: body + more,
      headers,
    });
  expect([await (await send()).json(), (await send(' '.repeat(20_000))).status]).toEqual([
    expect.objectContaining({ code: 'not_found' }),
    413,
  ]);
});

test('every operation with a larger limit has it in the gateway too', async () => {
  const { secret } = await api.token(await api.signUp());
  const large = operationList.filter(([, { bodyBytesMax }]) => bodyBytesMax !== undefined);
  expect(large.length).toBeGreaterThan(5);
  for (const [key, { bodyBytesMax }] of large) {
    const [method, path] = key.split(' ') as [string, string];
    const send = (bytes: number) =>
      fetch(`${url}/api/backend${path.replaceAll(/\{\w+\}/g, '999999')}`, {
        method,
        body: `{"x":"${'x'.repeat(bytes - 8)}"}`,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      });
    const [within, beyond] = [await send(bodyBytesMax!), await send(bodyBytesMax! + 1)];
    expect([key, within.status < 413, beyond.status]).toEqual([key, true, 413]);
  }
});

test('a large zip passes as it comes, with the limits of the contract', async () => {
  const zips = operationList.filter(([, { streams }]) => streams !== undefined);
  expect(zips.length).toBe(2);
  const { secret } = await api.token(await api.signUp());
  for (const [key, { streams }] of zips) {
    const [method, path] = key.split(' ') as [string, string];
    const send = (headers: Record<string, string>, body?: ReadableStream) =>
      fetch(`${url}/api/backend${path.replaceAll(/\{\w+\}/g, '999999')}`, {
        method,
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': streams!.contentType,
          ...headers,
        },
        ...(body && { body, duplex: 'half' }),
      });
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(1024 * 1024).fill(80));
        if (sent === 8) controller.close();
      },
    });
    // More than any other body may have reaches the API, which knows no such draft.
    expect([key, (await send({}, body)).status]).toEqual([key, 404]);
    const announced = await announce(`${url}/api/backend${path.replaceAll(/\{\w+\}/g, '999999')}`, {
      authorization: `Bearer ${secret}`,
      'content-type': streams!.contentType,
      'content-length': String(streams!.bytesMax + 1),
    });
    expect([key, announced]).toEqual([key, 413]);
  }
});

/** The status for a body that is announced and never sent. */
const announce = (to: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = sendRequest(to, { method: 'POST', headers }, (response) => {
      resolve(response.statusCode!);
      sent.destroy();
    });
    sent.on('error', reject);
    sent.flushHeaders();
  });

test('a streamed body is cut off at 256 KiB', async () => {
  const piece = new Uint8Array(64 * 1024).fill(120);
  let sent = 0;
  const body = new ReadableStream({
    pull: (controller) => {
      sent += piece.length;
      controller.enqueue(piece);
      if (sent > 4 * 1024 * 1024) controller.close();
    },
  });
  const sending = {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
    duplex: 'half',
  };
  const outcome = await fetch(`${url}/api/backend/auth/sign-in`, sending).then(
    (response) => response.status,
    () => 413, // the connection was closed while we were still sending
  );
  expect(outcome).toBe(413);
});

test('ten thousand forged addresses from one socket count as one', async () => {
  const { url } = await startOwnApi();
  let last = 0;
  for (let index = 0; index < 122; index += 1) {
    const forged = `198.51.${index % 250}.${index}`;
    last = (
      await fetch(`${url}/api/backend/errors`, {
        headers: { authorization: 'Bearer x', 'x-forwarded-for': forged, 'x-real-ip': forged },
      })
    ).status;
  }
  expect(last).toBe(429);
});

test('malformed HTTP gets a response in JSON', async () => {
  const text = await sendText(url, 'NONSENSE\r\n\r\n');
  expect(text).toMatch(/^HTTP\/1.1 400 /);
  expect(text).toContain('"code":"invalid_request"');
  expect(text).toMatch(/x-content-type-options: nosniff\r\n/);
  expect(text).toContain("frame-ancestors 'none'");
  const unreadable = await fetch(`${url}/%E0%A4%A`);
  expect([unreadable.status, unreadable.headers.get('x-content-type-options')]).toEqual([
    400,
    'nosniff',
  ]);
  expect(gateway.server.listening).toBe(true);
});

test('Expect: 100-continue and very long addresses reach the API', async () => {
  const body = JSON.stringify({ email: 'nobody@example.org', password: 'wrong-wrong-wrong' });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    expect: '100-continue',
  };
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sent = sendRequest(
      `${url}/api/backend/auth/sign-in`,
      { method: 'POST', headers },
      (response) => resolve(response.resume().statusCode),
    );
    sent.on('continue', () => sent.end(body)).on('error', reject);
    sent.flushHeaders();
  });
  expect(status).toBe(401);
  expect((await fetch(`${url}/api/backend/apps/${'9'.repeat(5_000)}`)).status).toBe(401);
});

test('a client that leaves is reported to the API, and logged at debug only', async () => {
  const lines: { level: number }[] = [];
  const log = pino(
    { level: 'debug' },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  const held: { request: IncomingMessage; response: ServerResponse }[] = [];
  const slow = createServer(
    (request, response) =>
      void held.push({ request: request.on('error', () => {}).resume(), response }),
  );
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  const front = await startGateway({
    apiUrl: `http://127.0.0.1:${(slow.address() as { port: number }).port}`,
    log,
  });
  const connections = () =>
    new Promise((resolve) => gateway.server.getConnections((_error, count) => resolve(count)));
  for (const [index, text] of [
    'POST /api/backend/x HTTP/1.1\r\nhost: x\r\ncontent-type: ' +
      'application/json\r\ncontent-length: 1000\r\n\r\n{',
    'GET /api/backend/x HTTP/1.1\r\nhost: x\r\n\r\n',
  ].entries()) {
    const socket = connect(Number(new URL(front).port), '127.0.0.1', () => socket.write(text));
    await expect.poll(() => held.length).toBe(index + 1);
    socket.destroy();
    await expect.poll(connections).toBe(0);
    await expect.poll(() => held[index]!.request.destroyed).toBe(true);
    held[index]!.response.end('{}');
    await expect.poll(() => lines.length).toBe(index + 1);
  }
  expect(lines.filter((line) => line.level > 20)).toEqual([]);
  slow.closeAllConnections();
  slow.close();
});

// An error without a listener would fail the whole run.
test('a client that leaves while its request waits for a connection ends nothing', async () => {
  const held: Socket[] = [];
  // Until the first handshake is over, other requests wait for what it finds out.
  const silent = createTcpServer((socket) => void held.push(socket.on('error', () => {})));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const front = await startGateway({ apiUrl: `https://127.0.0.1:${port}` });
  const send = async (): Promise<Socket> => {
    const socket = connect(Number(new URL(front).port), '127.0.0.1');
    const isReceived = once(socket, 'data');
    socket.write(
      'POST /api/backend/x HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
        'content-length: 1000\r\nexpect: 100-continue\r\n\r\n{',
    );
    await isReceived;
    return socket;
  };
  const first = await send();
  const waiting = await send();
  const connections = () =>
    new Promise((resolve) => gateway.server.getConnections((_error, count) => resolve(count)));
  waiting.destroy();
  await expect.poll(connections).toBe(1);
  expect(held).toHaveLength(1);
  expect((await fetch(front)).status).toBe(200);
  first.destroy();
  for (const socket of held) socket.destroy();
  silent.close();
});
