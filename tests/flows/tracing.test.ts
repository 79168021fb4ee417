import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import type { Client } from '#client/http.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { until } from '../harness/load-recorder.ts';
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../harness/otlp.ts';
import { startToprung, type Child } from '../harness/process.ts';
import { createDataDir, productEnvironment, removeDataDir, signUpAt } from '../harness/product.ts';

keepOrder('the last test stops the processes');

const phrase = 'a phrase nobody may read';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerId = '00f067aa0ba902b7';

let receiver: OtlpReceiver;
let simulator: Simulator;
let db: TestDatabase;
let dataDir: string;
let webUrl: string;
let apiUrl: string;
let client: Client;
let token: string;
const children: Child[] = [];

const start = async (role: string, ready: RegExp, own: Record<string, string> = {}) => {
  const child = startToprung(['start', '--role', role], {
    ...productEnvironment(dataDir, simulator),
    DATABASE_URL: db.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-receiver',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
    ...own,
  });
  children.push(child);
  await child.waitFor(ready);
  return ready.exec(child.output())?.[1] ?? '';
};

beforeAll(async () => {
  [receiver, simulator, db, dataDir] = await Promise.all([
    startOtlpReceiver(),
    startSimulator({ compress: false, world: { resultsPerSearch: 60 } }),
    createTestDatabase(),
    createDataDir(),
  ]);
  [apiUrl] = await Promise.all([
    start('api', / API: +(\S+)/),
    start('worker', /The worker is up/),
    start('worker', /The worker is up/),
  ]);
  webUrl = await start('web', /Toprung is up: +(\S+)/, { API_URL: apiUrl });
  ({ client, token } = await signUpAt(`${webUrl}/api/backend`));
});

afterAll(async () => {
  await Promise.all(children.map((child) => child.kill('SIGKILL')));
  await Promise.all([receiver.close(), simulator.close(), db.drop(), removeDataDir(dataDir)]);
});

/** A span with its path: its name below the names of its ancestors. */
const pathOf = (span: ReceivedSpan, spans: readonly ReceivedSpan[]): string => {
  const parent = spans.find(({ spanId }) => spanId === span.parentId);
  return parent ? `${pathOf(parent, spans)} > ${span.name}` : span.name;
};

const hasEnded = (name: string) => ofTrace(traceId).some((span) => span.name === name);
const ofTrace = (id: string) => receiver.spans.filter((span) => span.traceId === id);

test('a request, its wait in the queue, the store and the database are one trace', async () => {
  const { app } = await client('POST /apps', { body: { store: 'ios', storeAppId: '1500000001' } });
  const response = await fetch(`${webUrl}/api/backend/apps/${app.id}/keywords`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      traceparent: `00-${traceId}-${callerId}-01`,
    },
    body: JSON.stringify({ phrases: [phrase], countries: ['us'] }),
  });
  expect(response.status).toBe(201);
  await until(
    async () => {
      const roles = ofTrace(traceId).map(({ resource }) => resource['toprung.role']);
      return ['web', 'api'].every((role) => roles.includes(role)) && hasEnded('process ios');
    },
    30_000,
    'the spans of all processes',
  );
  const spans = ofTrace(traceId);
  const paths = spans.map((span) => pathOf(span, spans));
  const request = 'POST /api/backend/* > POST > POST /apps/{id}/keywords';
  const job = `${request} > send ios > process ios`;
  expect(paths).toContain(`${request} > mark-markets-urgent`);
  expect(paths).toContain(`${job} > wait for pace`);
  expect(paths).toContain(`${job} > GET ios search`);
  expect(paths).toContain(`${job} > record-checks`);

  const [first] = spans.filter(({ parentId }) => parentId === callerId);
  expect(first?.name).toBe('POST /api/backend/*');
  const known = new Set([callerId, ...spans.map(({ spanId }) => spanId)]);
  expect(spans.filter(({ parentId }) => !known.has(parentId))).toEqual([]);
  expect(new Set(spans.map(({ resource }) => resource['toprung.role']))).toEqual(
    new Set(['web', 'api', 'worker']),
  );
  expect(new Set(spans.map(({ resource }) => resource['deployment.environment.name']))).toEqual(
    new Set(['test']),
  );
  expect(receiver.requests.map(({ headers }) => headers.authorization)).toEqual(
    receiver.requests.map(() => 'Bearer of-the-receiver'),
  );
});

test('the requests of an AI client’s tool are in the trace of the client', async () => {
  const id = traceId.replaceAll('4', '6');
  const response = await fetch(`${webUrl}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      traceparent: `00-${id}-${callerId}-01`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
  await response.text();
  const [web, api] = ['web', 'api'].map(
    (role) => () =>
      ofTrace(id).find(
        ({ kind, resource }) => kind === 'server' && resource['toprung.role'] === role,
      ),
  );
  await until(async () => web!() !== undefined && api!() !== undefined, 30_000, 'both spans');
  expect(web!()).toMatchObject({ name: 'POST /mcp', parentId: callerId });
  expect(api!()).toMatchObject({ parentId: web!()!.spanId });
});

test('a background job is in the trace of the request that it was accepted for', async () => {
  const id = traceId.replaceAll('4', '5');
  const response = await fetch(`${webUrl}/api/backend/workspace/exports`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      traceparent: `00-${id}-${callerId}-01`,
    },
    body: '{}',
  });
  expect(response.status).toBe(202);
  const jobsOf = () => ofTrace(id).filter(({ name }) => name === 'process transfers');
  await until(async () => jobsOf().length > 0, 30_000, 'the span of the job');
  expect(jobsOf()).toMatchObject([{ attributes: { 'toprung.job': 'export' } }]);
});

test('spans and metrics have no phrases, addresses of people, tokens or names', () => {
  expect(receiver.spans.length).toBeGreaterThan(50);
  const sent = JSON.stringify([receiver.spans, receiver.gauges], (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  for (const hidden of [phrase, token, '@', 'first', '1500000001', 'grape-tunnel'])
    expect(sent).not.toContain(hidden);
  const names = [...new Set(receiver.spans.map(({ name }) => name))];
  expect(names.filter((name) => !/^[\w/{}*-]+( [\w/{}*-]+){0,2}$/.test(name))).toEqual([]);
});

test('the metrics are those of /metrics, from one of the two workers', async () => {
  const headers = { authorization: `Bearer ${token}` };
  const text = await (await fetch(`${apiUrl}/metrics`, { headers })).text();
  const namesOf = (lines: string) => [...lines.matchAll(/^# TYPE (\S+) gauge$/gm)].map((m) => m[1]);
  expect(new Set(receiver.gauges.map(({ name }) => name))).toEqual(new Set(namesOf(text)));
  const senders = receiver.gauges.map(({ resource }) => resource['service.instance.id']);
  expect(new Set(senders).size).toBe(1);
  const up = receiver.gauges.findLast(({ name }) => name === 'toprung_database_up');
  expect(up).toMatchObject({ unit: '', points: [{ value: 1 }] });
});

test.each([
  ['too short', '00-4bf92f3577b34da6-00f067aa0ba902b7-01'],
  ['of zeros', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`],
  ['too long', `00-${'a'.repeat(10_000)}`],
  ['of another kind', '\u0000<script>alert(1)</script>'.replace('\u0000', '')],
])('a request with a traceparent that is %s begins a trace', async (_kind, traceparent) => {
  const response = await fetch(`${webUrl}/api/backend/apps`, {
    headers: { authorization: `Bearer ${token}`, traceparent, tracestate: 'a=b,'.repeat(500) },
  });
  expect(response.status).toBe(200);
});

test('a receiver that never responds delays no request and no stop', async () => {
  receiver.respond = () => {};
  for (let round = 0; round < 20; round += 1) await client('GET /apps');
  await Promise.all(children.map((child) => child.kill('SIGTERM')));
  expect(await Promise.all(children.map((child) => child.exited))).toEqual(
    children.map(() => ({ code: 0, signal: null })),
  );
});
