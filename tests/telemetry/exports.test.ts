import { createServer, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Logger } from '#lib/logger.ts';
import { inSpan } from '#lib/tracing.ts';
import { startTelemetry, type TelemetryOptions } from '#telemetry/start-telemetry.ts';
import { listenOn } from '../harness/listen-on.ts';
import { startOtlpReceiver, type OtlpReceiver } from '../harness/otlp.ts';

const environment = {
  OTEL_EXPORTER_OTLP_ENDPOINT: '',
  OTEL_EXPORTER_OTLP_TIMEOUT: '20000',
  OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
};
let receiver: OtlpReceiver;
let before: NodeJS.ProcessEnv;

beforeEach(async () => {
  receiver = await startOtlpReceiver();
  before = { ...process.env };
  Object.assign(process.env, environment, { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
});
afterEach(async () => {
  for (const name of Object.keys(environment)) delete process.env[name];
  Object.assign(process.env, before);
  await receiver.close();
});

interface Line {
  level: string;
  signal: string;
  error?: string;
}

function recordLines(): { log: Logger; lines: Line[] } {
  const lines: Line[] = [];
  const record = (level: string) => (facts: object) =>
    void lines.push({ level, ...(facts as { signal: string; error?: string }) });
  const log = { debug: () => {}, info: record('info'), warn: record('warn') };
  return { log: log as unknown as Logger, lines };
}

const start = (log: Logger, changed: Partial<TelemetryOptions> = {}) =>
  startTelemetry({
    serviceName: 'toprung',
    version: '1.2.3',
    role: 'api',
    sampler: 'parentbased_always_on',
    sampledShare: 1,
    metricIntervalMs: 60_000,
    exports: { traces: true, metrics: true },
    log,
    ...changed,
  });

const span = (continues = {}) =>
  inSpan({ name: 'work', kind: 'server', continues }, async () => {});
const reading = { name: 'toprung_up', help: 'Up.', samples: [{ labels: { a: 'b' }, value: 0.5 }] };

test('the end exports the spans and metrics that wait, compressed where it is set', async () => {
  const { log, lines } = recordLines();
  const telemetry = start(log);
  const endMetrics = telemetry.exportMetrics(async () => [reading, { ...reading, samples: [] }]);
  await span();
  await endMetrics();
  await telemetry.close();
  expect(receiver.spans).toMatchObject([{ name: 'work', kind: 'server', parentId: '' }]);
  expect(receiver.gauges).toMatchObject([
    { name: 'toprung_up', unit: '', points: [{ attributes: { a: 'b' }, value: 0.5 }] },
  ]);
  expect(receiver.gauges[0]?.resource).toMatchObject({
    'service.name': 'toprung',
    'service.version': '1.2.3',
    'toprung.role': 'api',
  });
  expect(lines).toEqual([]);
});

test('OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES describe the process', async () => {
  process.env.OTEL_SERVICE_NAME = 'aso';
  process.env.OTEL_RESOURCE_ATTRIBUTES = 'service.name=other,deployment.environment.name=test';
  const telemetry = start(recordLines().log);
  delete process.env.OTEL_SERVICE_NAME;
  delete process.env.OTEL_RESOURCE_ATTRIBUTES;
  await span();
  await telemetry.close();
  expect(receiver.spans[0]?.resource).toMatchObject({
    'service.name': 'aso',
    'deployment.environment.name': 'test',
  });
});

test('the sampler decides which traces are sent, and a caller only where it may', async () => {
  const sent = async (changed: Partial<TelemetryOptions>) => {
    receiver.spans.length = 0;
    const telemetry = start(recordLines().log, changed);
    const parent = (flags: string) =>
      `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-${flags}`;
    await span();
    await span({ traceparent: parent('01') });
    await span({ traceparent: parent('00') });
    await telemetry.close();
    return receiver.spans.length;
  };
  expect(await sent({ sampler: 'always_on' })).toBe(3);
  expect(await sent({ sampler: 'always_off' })).toBe(0);
  expect(await sent({ sampler: 'parentbased_always_on' })).toBe(2);
  expect(await sent({ sampler: 'parentbased_always_off' })).toBe(1);
  expect(await sent({ sampler: 'parentbased_traceidratio', sampledShare: 0 })).toBe(1);
  expect(await sent({ sampler: 'traceidratio', sampledShare: 1 })).toBe(3);
  expect(await sent({ exports: { traces: false, metrics: true } })).toBe(0);
});

/** For a receiver that does not respond: a busy machine may be late with the others. */
const useShortTimeout = () => {
  process.env.OTEL_EXPORTER_OTLP_TIMEOUT = '400';
};

describe('a receiver', () => {
  beforeEach(useShortTimeout);

  const drip = (response: ServerResponse) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'), 20);
    response.once('close', () => clearInterval(timer));
  };
  const failing: [string, (response: ServerResponse) => void][] = [
    ['is silent', () => {}],
    ['hangs up', (response) => void response.destroy()],
    ['refuses', (response) => void response.writeHead(401, 'x'.repeat(5_000)).end()],
    ['redirects', (response) => void response.writeHead(302, { location: receiver.url }).end()],
    ['sends 10 MB', (response) => void response.end(Buffer.alloc(10_000_000))],
    [
      'asks for an hour',
      (response) => void response.writeHead(429, { 'retry-after': '3600' }).end(),
    ],
  ];

  test.each(failing)(
    'that %s is logged once, and the end does not wait for it',
    async (_, respond) => {
      receiver.respond = respond;
      const { log, lines } = recordLines();
      const telemetry = start(log);
      const endMetrics = telemetry.exportMetrics(async () => [reading]);
      for (let spans = 0; spans < 1_500; spans += 1) await span();
      await endMetrics();
      await telemetry.close();
      const warned = lines.filter(({ level }) => level === 'warn');
      expect(warned.map(({ signal }) => signal).toSorted()).toEqual(['metrics', 'traces']);
      for (const { error = '' } of warned) expect(error.length).toBeLessThan(250);
    },
  );

  test.each([
    ['drips', drip],
    ['is not understood', (response: ServerResponse) => void response.end('<html>captcha</html>')],
  ])('that %s does not hold up the end', async (_, respond) => {
    receiver.respond = respond;
    const { log, lines } = recordLines();
    const telemetry = start(log);
    await span();
    await telemetry.close();
    expect(lines).toEqual([]);
  });

  test('that is not there is logged once', async () => {
    const { port, close } = await listenOn(createServer());
    await close();
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`;
    const { log, lines } = recordLines();
    const telemetry = start(log);
    for (let spans = 0; spans < 1_500; spans += 1) await span();
    await telemetry.close();
    expect(lines).toMatchObject([{ level: 'warn', signal: 'traces' }]);
  });

  test('that works again is reported, too', async () => {
    const { log, lines } = recordLines();
    const telemetry = start(log, { metricIntervalMs: 1_000 });
    receiver.respond = (response) => void response.writeHead(400).end();
    const end = telemetry.exportMetrics(async () => {
      if (lines.length > 0) receiver.respond = (response) => void response.end();
      return [reading];
    });
    await expect
      .poll(() => lines.map(({ level }) => level), { timeout: 60_000 })
      .toEqual(['warn', 'info']);
    await end();
    await telemetry.close();
  });
});

test('more spans than the receiver takes are dropped and not kept', async () => {
  useShortTimeout();
  receiver.respond = () => {};
  const telemetry = start(recordLines().log);
  for (let spans = 0; spans < 20_000; spans += 1) await span();
  const { resolve, promise } = Promise.withResolvers<void>();
  setImmediate(resolve);
  await promise;
  receiver.respond = (response) => void response.end();
  await telemetry.close();
  expect(receiver.spans.length).toBeLessThanOrEqual(3_072);
});
