import { existsSync, readdirSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { buildGateway } from '#gateway/server.ts';
import { silentLogger } from '#lib/logger.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { until } from '../harness/load-recorder.ts';
import { startToprung, type Child } from '../harness/process.ts';
import { createDataDir, productEnvironment, removeDataDir, signUpAt } from '../harness/product.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';

/** `healthy` requests are sent while the others hold their sockets. */
const scale = process.env.TORTURE
  ? { each: 1_000, healthy: 5_000, waitsForTimeouts: true, p99Ms: 500 }
  : // Other tests use the machine meanwhile.
    { each: 30, healthy: 60, waitsForTimeouts: false, p99Ms: 2_000 };

let simulator: Simulator;
let db: TestDatabase;
let dataDir: string;
let child: Child;
let url: string;
let token: string;

beforeAll(async () => {
  simulator = await startSimulator({ compress: false });
  db = await createTestDatabase();
  dataDir = await createDataDir();
  const environment = { ...productEnvironment(dataDir, simulator), DATABASE_URL: db.url };
  child = startToprung(['start', '--role', 'api'], environment);
  await child.waitFor(/ API: +http\S+/);
  url = / API: +(\S+)/.exec(child.output())![1]!;
  ({ token } = await signUpAt(url));
  const headers = { authorization: `Bearer ${token}` };
  for (const path of ['/docs-json', '/apps'])
    await (await fetch(`${url}${path}`, { headers })).text();
});
afterAll(async () => {
  await child.kill('SIGKILL');
  await simulator.close();
  await db.drop();
  await removeDataDir(dataDir);
});

const head = (method: string, path: string, more = '') =>
  `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n${more}`;
const json = 'content-type: application/json\r\n';

/** The first bytes of a hostile client, and what it goes on to send each half second. */
const hostile: Record<
  string,
  { first: (prefix: string) => string | Buffer; drip: string; reads: boolean }
> = {
  idle: { first: () => '', drip: '', reads: true },
  'slow headers': {
    first: (prefix) => head('GET', `${prefix}/errors`, 'x-a: '),
    drip: 'a',
    reads: true,
  },
  'slow body': {
    first: (prefix) => head('PATCH', `${prefix}/workspace`, `${json}content-length: 200\r\n\r\n{`),
    drip: ' ',
    reads: true,
  },
  'never reading': {
    first: (prefix) => head('GET', `${prefix}/docs-json`, '\r\n'),
    drip: '',
    reads: false,
  },
  garbage: { first: () => randomBytes(2_000), drip: '\0', reads: true },
  'endless chunks': {
    first: (prefix) => head('POST', `${prefix}/apps`, `${json}transfer-encoding: chunked\r\n\r\n`),
    drip: `1000\r\n${' '.repeat(4_096)}\r\n`,
    reads: true,
  },
};

function attack(at: { url: string; prefix: string }, each: number): Socket[] {
  const { port, hostname } = new URL(at.url);
  return Object.values(hostile).flatMap(({ first, drip, reads }) =>
    Array.from({ length: reads ? each : each / 10 }, () => {
      const socket = createConnection({ port: Number(port), host: hostname });
      socket.on('error', () => undefined);
      socket.write(first(at.prefix));
      if (reads) socket.resume();
      else socket.pause();
      const timer = drip ? setInterval(() => socket.write(drip), 500) : undefined;
      socket.on('close', () => clearInterval(timer));
      return socket;
    }),
  );
}

/** Files of the server: a client that never reads does not notice that its socket was closed. */
const countFiles = () => (existsSync('/proc') ? readdirSync(`/proc/${child.pid}/fd`).length : 0);

async function measureHealthy(base: string, onResponse: () => void): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < scale.healthy; number += 1) {
    const startedMs = performance.now();
    const response = await fetch(`${base}/apps`, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(200);
    await response.text();
    times.push(performance.now() - startedMs);
    onResponse();
  }
  return times.toSorted((a, b) => a - b);
}

test('slow and hostile clients delay nobody else, and lose their sockets', async () => {
  const filesBefore = countFiles();
  const sockets = attack({ url, prefix: '' }, scale.each);
  await until(() => sockets.every((socket) => !socket.connecting), 60_000, 'connections');
  const part = { name: 'requests beside hostile clients', total: scale.healthy };
  const times = await trackProgress({ ...part, limitMs: 300_000 }, ({ add }) =>
    measureHealthy(url, add),
  );
  if (scale.waitsForTimeouts) {
    const close = { name: 'closed hostile sockets', total: 1, limitMs: 400_000 };
    await trackProgress(close, async ({ add }) => {
      await until(() => countFiles() <= filesBefore + 20, 390_000, 'closed sockets');
      add();
    });
  }
  reportFigures(22, {
    'hostile sockets': sockets.length,
    'more open files at the end': countFiles() - filesBefore,
    'healthy requests': times.length,
    'p99 in ms': Math.round(times[Math.floor(times.length * 0.99)]!),
  });
  for (const socket of sockets) socket.destroy();
  expect(times[Math.floor(times.length * 0.99)]).toBeLessThan(scale.p99Ms);
  const after = await fetch(`${url}/health`, { headers: { authorization: `Bearer ${token}` } });
  expect(after.status).toBe(200);
  expect(child.output()).not.toMatch(/"level":"(error|fatal)"/);
}, 600_000);

test('they delay nobody else at the web origin, which sends their requests on', async () => {
  const gateway = await buildGateway({
    apiUrl: url,
    webDist: null,
    trustProxy: [],
    publicUrl: null,
    log: silentLogger,
  });
  const origin = await gateway.listen({ port: 0, host: '127.0.0.1' });
  // 147 of them hold a request at the API.
  const sockets = attack({ url: origin, prefix: '/api/backend' }, 70);
  await until(() => sockets.every((socket) => !socket.connecting), 60_000, 'connections');
  const times = await measureHealthy(`${origin}/api/backend`, () => {});
  for (const socket of sockets) socket.destroy();
  await gateway.close();
  // Clients and web origin share this process. Behind the others they would wait 30 s, the time
  // limit of a body.
  expect(times.at(-1)).toBeLessThan(10_000);
  expect(child.output()).not.toMatch(/"level":"(error|fatal)"/);
}, 600_000);
