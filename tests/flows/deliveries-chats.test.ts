import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Ctx } from '#domain/base/context.ts';
import { updateWebhook } from '#domain/alerting/webhooks/update-webhook.ts';
import { getDelivery, listDeliveries } from '#domain/alerting/webhooks/list-deliveries.ts';
import { redeliverMany, redeliverOne } from '#domain/alerting/webhooks/redeliver.ts';
import { startDeliveries, type Deliveries } from '../harness/deliveries.ts';
import { until } from '../harness/load-recorder.ts';
import { startReceiver, type Receiver } from '../harness/receiver.ts';

let flow: Deliveries;
let receiver: Receiver;
let me: Ctx;
let webhookId: number;
beforeAll(async () => {
  flow = await startDeliveries('2026-11-21');
  receiver = await startReceiver();
});
beforeEach(async () => {
  flow.pipeline.clock.advance(86_400_000);
  await flow.runUntilIdle();
  me = await flow.join();
  webhookId = (
    await flow.register(me, {
      url: receiver.url,
      format: 'slack',
      events: ['rank.dropped', 'serp.entrant', 'review.negative'],
    })
  ).id;
  receiver.requests.length = 0;
  receiver.respond = (response) => response.writeHead(200).end('ok');
});
afterAll(async () => {
  await flow.close();
  await receiver.close();
});

const moves = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => ({ key: `${name} ${index}` }));
const titles = () =>
  receiver.requests.map((request) => JSON.parse(request.body).blocks[0].text.text as string);
const deliveries = async () => (await listDeliveries(me, webhookId, { limit: 500 })).items;

it('the keyword events of a run are one message, and share its outcome', async () => {
  await flow.emit(me, moves(20, 'early'));
  flow.pipeline.clock.advance(30_000);
  await flow.emit(me, [...moves(9, 'late'), { key: 'entrant', type: 'serp.entrant' }]);
  await flow.runUntilIdle();
  expect(receiver.requests).toEqual([]);
  flow.pipeline.clock.advance(30_000);
  await flow.runUntilIdle();
  expect(titles()).toEqual(['Toprung: 30 keyword events']);
  expect(receiver.requests[0]!.body).toContain('and 10 more');
  const all = await deliveries();
  expect(all.map((delivery) => delivery.state)).toEqual(
    Array.from({ length: 30 }, () => 'succeeded'),
  );
  const [leader, ...others] = all.filter((delivery) => delivery.partOf === null);
  expect([others, all.filter((delivery) => delivery.partOf === leader!.id).length]).toEqual([
    [],
    29,
  ]);
  await redeliverOne(me, all.find((delivery) => delivery.partOf !== null)!.id);
  await flow.runUntilIdle();
  expect(receiver.requests[1]!.body).toBe(receiver.requests[0]!.body);
});

it('other events are sent at once, each by itself', async () => {
  await flow.emit(me, [...moves(2, 'a'), { key: 'review', type: 'review.negative' }]);
  await flow.runUntilIdle();
  expect(titles()).toEqual(['Toprung: a low review']);
});

/** Opens the run of the present day, which pending work keeps open. */
async function openRunWithWork(): Promise<string> {
  const { pool } = flow.pipeline.db;
  const date = flow.pipeline.clock.now().toISOString().slice(0, 10);
  await pool.query(
    "insert into runs (date, opened_at, state, pressure, shed) values ($1, $2, 'running', " +
      "'{}', '{}')",
    [date, flow.pipeline.clock.now()],
  );
  await pool.query(
    "insert into markets (store, country, device, phrase) values ('ios', 'us', 'iphone', " +
      "'left over') on conflict do nothing",
  );
  await pool.query(
    'insert into market_schedule (market_id, store, depth, usual_requests, retry_at) select ' +
      "id, 'ios', 200, 1, now() + interval '10 years' from markets where phrase = 'left over'",
  );
  return date;
}
const finishedAt = async (date: string) =>
  (await flow.pipeline.db.pool.query('select finished_at from runs where date = $1', [date]))
    .rows[0].finished_at as Date | null;

it('events of an open run wait for the rest, for a limited time', async () => {
  const { pool } = flow.pipeline.db;
  const date = await openRunWithWork();
  await flow.emit(me, moves(3, 'first'));
  flow.pipeline.clock.advance(60_000);
  await flow.runUntilIdle();
  await flow.emit(me, moves(2, 'second'));
  flow.pipeline.clock.advance(60_000);
  await flow.runUntilIdle();
  expect([receiver.requests.length, await finishedAt(date)]).toEqual([0, null]);
  await pool.query('delete from market_schedule');
  await pool.query('update runs set finished_at = opened_at where date = $1', [date]);
  flow.pipeline.clock.advance(60_000);
  await flow.runUntilIdle();
  expect(titles()).toEqual(['Toprung: 5 keyword events']);
});

it('events that wait for the end of a run hold back no other message of the chat', async () => {
  const { pool } = flow.pipeline.db;
  await openRunWithWork();
  await flow.emit(me, moves(30, 'waiting'));
  flow.pipeline.clock.advance(60_000);
  await flow.emit(me, [{ key: 'review', type: 'review.negative' }]);
  let ticks = 0;
  while (receiver.requests.length === 0) {
    await flow.pipeline.tick();
    ticks += 1;
    const isLeased = async () =>
      (await pool.query('select from deliveries where queued_until is not null')).rowCount! > 0;
    await until(async () => !(await isLeased()), 60_000, 'the delivery to end');
  }
  expect([ticks, titles()]).toEqual([2, ['Toprung: a low review']]);
  await pool.query('delete from market_schedule');
  await pool.query('update runs set finished_at = opened_at where finished_at is null');
  flow.pipeline.clock.advance(60_000);
  await flow.runUntilIdle();
  expect(titles()[1]).toBe('Toprung: 30 keyword events');
});

it('events that wait for the end of a run do not keep it open', async () => {
  const date = await openRunWithWork();
  await flow.emit(me, moves(3, 'waiting'));
  flow.pipeline.clock.advance(60_000);
  await flow.pipeline.db.pool.query('delete from market_schedule');
  expect([await flow.pipeline.tick(), await finishedAt(date)]).toEqual([1, expect.any(Date)]);
  flow.pipeline.clock.advance(60_000);
  await flow.runUntilIdle();
  expect(titles()).toEqual(['Toprung: 3 keyword events']);
});

it('a refused message is retried unchanged; later events are another message', async () => {
  receiver.respond = (response) => response.writeHead(503).end();
  await flow.emit(me, moves(4, 'first'));
  flow.pipeline.clock.advance(60_000);
  await flow.runUntilIdle();
  await flow.emit(me, moves(2, 'second'));
  receiver.respond = (response) => response.writeHead(200).end();
  flow.pipeline.clock.advance(60_000);
  await flow.runUntilIdle();
  const [refused, again, later] = titles();
  expect([refused, again, later]).toEqual([
    'Toprung: 4 keyword events',
    'Toprung: 4 keyword events',
    'Toprung: 2 keyword events',
  ]);
  expect(new Set((await deliveries()).map((delivery) => delivery.state))).toEqual(
    new Set(['succeeded']),
  );
});

it('a message that arrives while the webhook is being disabled succeeds in all parts', async () => {
  await flow.emit(me, moves(3, 'disabled'));
  flow.pipeline.clock.advance(60_000);
  receiver.respond = (response) =>
    void updateWebhook(me, webhookId, { enabled: false }).then(() => response.end('ok'));
  await flow.runUntilIdle();
  expect((await deliveries()).map(({ state }) => state)).toEqual(Array(3).fill('succeeded'));
});

it('a redelivery waits while an attempt is recorded, and locks none of its rows', async () => {
  const { pool } = flow.pipeline.db;
  await flow.emit(me, moves(3, 'batched'));
  flow.pipeline.clock.advance(60_000);
  await flow.runUntilIdle();
  const leader = (await deliveries()).find(({ partOf }) => partOf === null)!;
  const recording = await pool.connect();
  await recording.query('begin');
  await recording.query('select from webhooks where id = $1 for no key update', [webhookId]);
  await redeliverOne(me, leader.id);
  const redelivered = flow.runUntilIdle();
  const isWaiting = async () => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where datname = current_database()
       and wait_event_type = 'Lock'`,
    );
    return rowCount! > 0;
  };
  try {
    await until(isWaiting, 10_000, 'the redelivery to wait');
    expect((await deliveries()).map(({ state }) => state)).toEqual(Array(3).fill('succeeded'));
    await recording.query('select from deliveries where webhook_id = $1 for update nowait', [
      webhookId,
    ]);
  } finally {
    await recording.query('rollback');
    recording.release();
    await redelivered;
  }
  expect(titles()).toEqual(Array(2).fill('Toprung: 3 keyword events'));
});

it('several failed messages are all sent again when redelivered at once', async () => {
  receiver.respond = (response) => response.writeHead(410).end();
  const from = flow.pipeline.clock.now().toISOString();
  for (const [count, name] of [
    [4, 'first'],
    [3, 'second'],
    [1, 'third'],
  ] as const) {
    await updateWebhook(me, webhookId, { enabled: true });
    await flow.emit(me, moves(count, name));
    flow.pipeline.clock.advance(60_000);
    await flow.runUntilIdle();
  }
  receiver.requests.length = 0;
  receiver.respond = (response) => response.writeHead(200).end();
  await updateWebhook(me, webhookId, { enabled: true });
  await redeliverMany(me, webhookId, { from, state: 'failed' });
  await flow.runUntilIdle();
  // Messages of several events stay separate; single ones join the first.
  expect(titles()).toEqual(['Toprung: 5 keyword events', 'Toprung: 3 keyword events']);
  expect(new Set((await deliveries()).map((delivery) => delivery.state))).toEqual(
    new Set(['succeeded']),
  );
});

it.each([
  ['ntfy', '/leaked', '/fresh', { topic: 'fresh' }],
  ['telegram', '/bot1?chat_id=leaked', '/bot1?chat_id=fresh', { chat_id: 'fresh' }],
] as const)(
  'a chat whose format became %s gets pending and redelivered messages in it',
  async (format, leaked, fresh, named) => {
    const { origin } = new URL(receiver.url);
    const { id } = await flow.register(me, {
      url: `${origin}${leaked}`,
      format,
      events: ['action.opened'],
    });
    receiver.respond = (response) => response.writeHead(503).end();
    await flow.emit(me, [{ key: 'action', type: 'action.opened' }]);
    await flow.runUntilIdle();
    await updateWebhook(me, id, { url: `${origin}${fresh}` });
    receiver.respond = (response) => response.writeHead(200).end();
    await flow.goOn();
    await flow.runUntilIdle();
    const deliveryId = (await listDeliveries(me, id, { limit: 1 })).items[0]!.id;
    await redeliverOne(me, deliveryId);
    await flow.runUntilIdle();
    const bodies = receiver.requests.map(({ body }) => JSON.parse(body));
    expect(bodies).toMatchObject([expect.not.objectContaining(named), named, named]);
    const shown = JSON.parse((await getDelivery(me, deliveryId)).request.body);
    expect(shown).toEqual({ ...bodies[2], ...(format === 'ntfy' && { topic: '…' }) });
  },
);
