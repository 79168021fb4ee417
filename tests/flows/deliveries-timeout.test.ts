import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getDelivery } from '#domain/alerting/webhooks/list-deliveries.ts';
import { startDeliveries, type Deliveries } from '../harness/deliveries.ts';
import { startReceiver, type Receiver } from '../harness/receiver.ts';

const deadlineMs = 15_000;
const receivers = 50;
/** This many of each run at once. */
const together = 2;
/** No header at all; a header and then a byte now and then; half of the promised body. */
const ways = ['mute', 'drip', 'half'];

let flow: Deliveries;
let receiver: Receiver;
beforeAll(async () => {
  flow = await startDeliveries('2026-11-21');
  receiver = await startReceiver();
});
afterAll(async () => {
  await flow.close();
  await receiver.close();
});

// Fifteen seconds have no short form; tests/domain/webhooks-receivers.test.ts has such receivers
// with another limit.
describe.runIf(process.env.TORTURE)('with the timeout of the product', () => {
  it(`${receivers} hanging receivers time out after 15 s without delaying another`, async () => {
    const timers = new Set<NodeJS.Timeout>();
    receiver.respond = (response, { path }) => {
      if (path === '/well') return void response.writeHead(200).end('ok');
      if (path.startsWith('/drip')) timers.add(setInterval(() => response.write('.'), 400));
      if (path.startsWith('/half'))
        response.writeHead(200, { 'content-length': 100 }).write('half');
    };
    const me = await flow.join();
    const slow = await flow.join();
    for (let number = 0; number < receivers; number += 1)
      await flow.register(slow, { url: `${receiver.url}/${ways[number % 3]}/${number}` });
    await flow.register(me, { url: `${receiver.url}/well` });
    await flow.emit(slow, [{ key: 'a' }, { key: 'b' }]);
    const slowDeliveries = flow.runUntilIdle();
    await receiver.waitFor(receivers * together);
    const [event] = await flow.emit(me, [{ key: 'well' }]);
    const startedMs = performance.now();
    await flow.pipeline.tick();
    await receiver.waitFor(receivers * together + 1);
    const waitedMs = Math.round(performance.now() - startedMs);
    expect(receiver.requests.at(-1)).toMatchObject({
      path: '/well',
      body: JSON.stringify(event),
    });
    expect(waitedMs).toBeLessThan(8_000);
    await slowDeliveries;
    for (const timer of timers) clearInterval(timer);
    const { rows } = await flow.pipeline.db.pool.query(
      'select id from deliveries where workspace_id = $1',
      [slow.workspaceId],
    );
    const attempts = await Promise.all(
      rows.map(async ({ id }) => (await getDelivery(slow, Number(id))).log[0]!),
    );
    expect(new Set(attempts.map(({ error }) => error))).toEqual(new Set(['timeout']));
    const latencies = attempts.map(({ latencyMs }) => latencyMs).toSorted((a, b) => a - b);
    console.info(
      `${attempts.length} given up after ${latencies[0]} to ${latencies.at(-1)} ms; the ` +
        `healthy one waited ${waitedMs} ms`,
    );
    expect([
      attempts.length,
      latencies[0]! >= deadlineMs - 5,
      latencies.at(-1)! <= deadlineMs + 500,
    ]).toEqual([receivers * together, true, true]);
  });
});
