import { afterEach, beforeEach, expect, test } from 'vitest';
import { Batch } from '#lib/batch.ts';
import { inChildSpan, inSpan, runFor } from '#lib/tracing.ts';
import { silentLogger } from '#lib/logger.ts';
import { startTelemetry, type Telemetry } from '#telemetry/start-telemetry.ts';
import { startOtlpReceiver, type OtlpReceiver } from '../harness/otlp.ts';

let receiver: OtlpReceiver;
let telemetry: Telemetry;

beforeEach(async () => {
  receiver = await startOtlpReceiver();
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = receiver.url;
  telemetry = startTelemetry({
    serviceName: 'toprung',
    version: '1.2.3',
    role: 'api',
    sampler: 'always_on',
    sampledShare: 1,
    metricIntervalMs: 60_000,
    exports: { traces: true, metrics: false },
    log: silentLogger,
  });
});
afterEach(async () => {
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
  await receiver.close();
});

const statement = { name: 'statement', kind: 'client' } as const;

test('a batch is in the trace of each caller, and in no other', async () => {
  const gate = Promise.withResolvers<void>();
  const sizes: number[] = [];
  const batch = new Batch((asks: string[]) => {
    sizes.push(asks.length);
    return inChildSpan(statement, async () => {
      await gate.promise;
      return asks;
    });
  });
  const ask = (name: string) =>
    inSpan({ name, kind: 'server', continues: {} }, () => batch.ask(name));
  const asked = ['a', 'b', 'c'].map(ask);
  const alone = batch.ask('of nobody');
  gate.resolve();
  expect(await Promise.all([...asked, alone])).toEqual(['a', 'b', 'c', 'of nobody']);
  await telemetry.close();
  expect(sizes).toEqual([1, 3]);
  const statements = receiver.spans.filter(({ name }) => name === 'statement');
  const parents = statements.map(
    ({ parentId }) => receiver.spans.find(({ spanId }) => spanId === parentId)?.name,
  );
  expect(parents.toSorted()).toEqual(['a', 'b', 'c']);
});

test('work for nobody that begins in a request is not in its trace', async () => {
  await inSpan({ name: 'request', kind: 'server' }, async () => {
    await runFor([], () => inChildSpan(statement, async () => {}));
    await inChildSpan({ ...statement, name: 'its own' }, async () => {});
  });
  await telemetry.close();
  expect(receiver.spans.map(({ name }) => name).toSorted()).toEqual(['its own', 'request']);
});

test('a failure has the code of its error and not its message', async () => {
  const failure = Object.assign(new Error('duplicate key (me@example.org)'), { code: '23505' });
  const work = inSpan({ name: 'work', kind: 'client' }, () => Promise.reject(failure));
  await expect(work).rejects.toBe(failure);
  await telemetry.close();
  expect(receiver.spans).toMatchObject([
    { name: 'work', hasFailed: true, attributes: { 'error.type': '23505' } },
  ]);
});
