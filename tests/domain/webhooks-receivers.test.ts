import { createServer as createHttp, type ServerResponse } from 'node:http';
import { createServer as createTcp, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import type { WebhookReply } from '#domain/base/ports.ts';
import { isSuccess } from '#domain/alerting/webhooks/attempt-delivery.ts';
import { createWebhookSender } from '#outbound/webhook-sender.ts';
import { listenOn } from '../harness/listen-on.ts';
import { startReceiver } from '../harness/receiver.ts';

const sender = createWebhookSender({ allowedSubnets: ['127.0.0.0/8'] });
afterAll(() => sender.close());

const timeoutMs = process.env.TORTURE ? 15_000 : 700;
/** For receivers that respond: a busy machine may be late with it. */
const patientMs = 30_000;
const never = new AbortController().signal;
const send = (url: string, limits: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
  sender.send({
    url,
    headers: { 'content-type': 'application/json' },
    body: '{"n":1}',
    timeoutMs,
    signal: never,
    ...limits,
  });

type Http = (response: ServerResponse) => void;
type Tcp = (socket: Socket) => void;

/** Writes until the other side closes. */
function drip(response: ServerResponse, piece: string | Buffer, everyMs: number): void {
  const timer = setInterval(() => response.write(piece), everyMs);
  response.on('close', () => clearInterval(timer));
}

const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));

/** The behaviour of a receiver and the expected outcome. */
const behaviours: [
  string,
  { http: Http } | { tcp: Tcp },
  { success: boolean } & Partial<WebhookReply>,
][] = [
  [
    '200',
    { http: (r) => r.writeHead(200).end('ok') },
    { success: true, status: 200, error: null, head: 'ok' },
  ],
  [
    '204 without a body',
    { http: (r) => r.writeHead(204).end() },
    { success: true, status: 204, error: null, head: '' },
  ],
  ['299', { http: (r) => r.writeHead(299).end() }, { success: true, status: 299 }],
  [
    'early hints, then 200',
    {
      http: (r) => (r.writeEarlyHints({ link: '</a>; rel=preload' }), r.writeHead(200).end('late')),
    },
    { success: true, head: 'late' },
  ],
  ['300', { http: (r) => r.writeHead(300).end() }, { success: false, status: 300, error: null }],
  [
    '302',
    { http: (r) => r.writeHead(302, { location: 'http://127.0.0.1:1/' }).end() },
    { success: false, status: 302 },
  ],
  ['400', { http: (r) => r.writeHead(400).end('no') }, { success: false, status: 400, head: 'no' }],
  ['410', { http: (r) => r.writeHead(410).end() }, { success: false, status: 410 }],
  [
    '429',
    { http: (r) => r.writeHead(429, { 'retry-after': '7' }).end() },
    { success: false, status: 429 },
  ],
  [
    '500 with NUL and broken text',
    { http: (r) => r.writeHead(500).end(Buffer.from([0x61, 0, 0xff, 0x62])) },
    { success: false, head: 'a�b' },
  ],
  [
    '200 that disconnects in its body',
    {
      http: (r) => (
        r.writeHead(200, { 'content-length': 100 }).write('half'),
        setImmediate(() => r.destroy())
      ),
    },
    { success: false, status: 200, error: 'reset' },
  ],
  [
    '200 whose body never ends',
    { http: (r) => (r.writeHead(200).write('a'), drip(r, 'a', 50)) },
    { success: false, status: 200, error: 'timeout' },
  ],
  [
    '200 and a flood',
    { http: (r) => (r.writeHead(200), drip(r, Buffer.alloc(2_097_152, 'x'), 1)) },
    { success: true, status: 200, head: 'x'.repeat(4_096) },
  ],
  [
    '200 with a compression bomb',
    { http: (r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb) },
    { success: true, status: 200, head: '(gzip, not read)' },
  ],
  [
    'endless headers',
    { http: (r) => r.writeHead(200, { 'x-long': 'x'.repeat(60_000) }).end() },
    { success: false, status: null, error: 'protocol' },
  ],
  ['no response', { http: () => {} }, { success: false, status: null, error: 'timeout' }],
  [
    'slow headers',
    {
      tcp: (s) => {
        s.write('HTTP/1.1 200 OK\r\nx: ');
        const timer = setInterval(() => s.write('a'), 50);
        s.on('close', () => clearInterval(timer));
      },
    },
    { success: false, status: null, error: 'timeout' },
  ],
  [
    'disconnects at once',
    { tcp: (s) => s.destroy() },
    { success: false, status: null, error: 'reset' },
  ],
  ['resets', { tcp: (s) => s.resetAndDestroy() }, { success: false, status: null, error: 'reset' }],
  [
    'no HTTP',
    { tcp: (s) => s.end('220 mail.example.com ESMTP\r\n') },
    { success: false, status: null, error: 'protocol' },
  ],
  ['reads nothing', { tcp: (s) => s.pause() }, { success: false, status: null, error: 'timeout' }],
  [
    'asks to switch protocols',
    {
      tcp: (s) =>
        s.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    },
    { success: false },
  ],
];

describe(`${behaviours.length} receivers`, () => {
  it.each(behaviours)('%s', async (_name, behaviour, expected) => {
    const server =
      'http' in behaviour
        ? createHttp((request, response) => (request.resume(), behaviour.http(response)))
        : createTcp(behaviour.tcp);
    const { port, close } = await listenOn(server);
    const startedMs = performance.now();
    const { success, ...facts } = expected;
    const limitMs = facts.error === 'timeout' ? timeoutMs : patientMs;
    const reply = await send(`http://127.0.0.1:${port}/hook`, { timeoutMs: limitMs });
    expect([isSuccess(reply), reply]).toMatchObject([success, facts]);
    expect(performance.now() - startedMs).toBeLessThan(timeoutMs + 10_000);
    if (facts.error === 'timeout') expect(reply.latencyMs).toBeGreaterThanOrEqual(timeoutMs - 5);
    await close();
  });

  it('refused connections, unknown names, silent TLS and untrusted certificates', async () => {
    const silent = await listenOn(createTcp(() => {}));
    const plain = await listenOn(createTcp((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n')));
    const closed = await listenOn(createTcp());
    await closed.close();
    const patiently = async (url: string) => (await send(url, { timeoutMs: patientMs })).error;
    expect(await patiently(`http://127.0.0.1:${closed.port}/`)).toBe('connect');
    expect(await patiently('http://no-such-name.invalid/')).toBe('dns');
    expect((await send(`https://127.0.0.1:${silent.port}/`)).error).toBe('timeout');
    expect(await patiently(`https://127.0.0.1:${plain.port}/`)).toBe('tls');
    await silent.close();
    await plain.close();
  });
});

it('a compression bomb costs no memory: compressed bodies stay compressed', async () => {
  const receiver = await startReceiver();
  receiver.respond = (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  await send(receiver.url);
  const before = process.memoryUsage().rss;
  for (let index = 0; index < 20; index += 1) await send(receiver.url);
  expect(process.memoryUsage().rss - before).toBeLessThan(20 * 1024 * 1024);
  await receiver.close();
});

it('stored responses are limited in size and have no cookies', async () => {
  const receiver = await startReceiver();
  receiver.respond = (response) => {
    response.setHeader('set-cookie', 'session=1');
    for (let index = 0; index < 60; index += 1) response.setHeader(`x-${index}`, 'v'.repeat(200));
    response.writeHead(200).end('é'.repeat(10_000));
  };
  const reply = await send(receiver.url, { timeoutMs: patientMs });
  expect(Object.keys(reply.headers).length).toBeLessThanOrEqual(40);
  expect(reply.headers['set-cookie']).toBeUndefined();
  expect(Buffer.byteLength(reply.head)).toBeLessThanOrEqual(4_096 + 3);
  await receiver.close();
});

it('fifty silent receivers do not delay one that responds', async () => {
  const mute = await listenOn(createTcp(() => {}));
  const receiver = await startReceiver();
  const slowMs = 3_000;
  const slow = Array.from({ length: 50 }, () =>
    send(`http://127.0.0.1:${mute.port}/`, { timeoutMs: slowMs }),
  );
  const reply = await send(receiver.url, { timeoutMs: patientMs });
  expect([reply.status, reply.latencyMs < slowMs]).toEqual([200, true]);
  expect((await Promise.all(slow)).every(({ error }) => error === 'timeout')).toBe(true);
  await mute.close();
  await receiver.close();
});

it('a worker that shuts down cancels its request with the reason', async () => {
  const mute = await listenOn(createTcp(() => {}));
  const closing = new AbortController();
  const sending = send(`http://127.0.0.1:${mute.port}/`, { signal: closing.signal });
  closing.abort(new Error('the worker is closing'));
  await expect(sending).rejects.toThrow('the worker is closing');
  await mute.close();
});
