import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { purgeDeliveries } from '#db/queries/webhooks/deliveries.ts';
import { inSystem, type Ctx } from '#domain/base/context.ts';
import { updateWebhook } from '#domain/alerting/webhooks/update-webhook.ts';
import { getWebhook } from '#domain/alerting/webhooks/webhooks.ts';
import { getDelivery, listDeliveries } from '#domain/alerting/webhooks/list-deliveries.ts';
import { redeliverMany, redeliverOne } from '#domain/alerting/webhooks/redeliver.ts';
import { sendTest } from '#domain/alerting/webhooks/send-test.ts';
import { applyRetention } from '#domain/scheduling/retention/apply-retention.ts';
import { startDeliveries, type Deliveries } from '../harness/deliveries.ts';
import { startReceiver, type Receiver } from '../harness/receiver.ts';

const day = 86_400_000;
let flow: Deliveries;
let receiver: Receiver;
let me: Ctx;
beforeAll(async () => {
  flow = await startDeliveries('2026-11-21');
  receiver = await startReceiver();
});
beforeEach(async () => {
  me = await flow.join();
  receiver.requests.length = 0;
  receiver.respond = (response) => response.writeHead(200).end('ok');
});
afterEach(async () => {
  await flow.pipeline.db.pool.query('delete from workspaces where id = $1', [me.workspaceId]);
});
afterAll(async () => {
  await flow.close();
  await receiver.close();
});

const listOf = async (webhookId: number, query: object = {}) =>
  (await listDeliveries(me, webhookId, { limit: 500, ...query })).items;
const lastOf = async (webhookId: number) => (await getWebhook(me, webhookId)).lastDelivery;
const ids = () => receiver.requests.map((request) => request.headers['webhook-id']);
const respondWith = (status: number, headers: Record<string, string> = {}) => {
  receiver.respond = (response) => response.writeHead(status, headers).end();
};

describe('an event', () => {
  it('is sent to every webhook for its type as GET /events returns it, no other', async () => {
    const wanting = await flow.register(me, { url: `${receiver.url}/a` });
    await flow.register(me, {
      url: `${receiver.url}/b`,
      events: ['rank.dropped', 'action.opened'],
    });
    await flow.register(me, { url: `${receiver.url}/c`, events: ['action.opened'] });
    await flow.register(me, { url: `${receiver.url}/d`, enabled: false });
    const other = await flow.join();
    await flow.register(other, { url: `${receiver.url}/e` });
    const [event] = await flow.emit(me, [{ key: 'fell' }]);
    await flow.runUntilIdle();
    expect(receiver.requests.map((request) => request.path).toSorted()).toEqual(['/a', '/b']);
    for (const { body, headers } of receiver.requests) {
      expect([body, headers['webhook-id']]).toEqual([JSON.stringify(event), event!.id]);
    }
    expect(await listOf(wanting.id)).toMatchObject([
      {
        state: 'succeeded',
        attempts: 1,
        messageId: event!.id,
        sequence: 1,
        nextAttemptAt: null,
        lastAttempt: { httpStatus: 200, error: null },
      },
    ]);
    expect((await getWebhook(me, wanting.id)).lastDelivery).toMatchObject({
      type: 'rank.dropped',
      state: 'succeeded',
      httpStatus: 200,
    });
  });

  it('that is emitted twice is sent once', async () => {
    await flow.register(me, { url: receiver.url });
    await flow.emit(me, [{ key: 'fell' }]);
    await flow.runUntilIdle();
    await flow.emit(me, [{ key: 'fell' }]);
    await flow.runUntilIdle();
    expect(receiver.requests.length).toBe(1);
  });

  it('in a burst of 60 arrives, with two requests at a time at most', async () => {
    await flow.register(me, { url: receiver.url });
    let open = 0;
    let most = 0;
    receiver.respond = (response) => {
      most = Math.max(most, (open += 1));
      setImmediate(() => {
        open -= 1;
        response.writeHead(204).end();
      });
    };
    const events = await flow.emit(
      me,
      Array.from({ length: 60 }, (_, index) => ({ key: `fell ${index}` })),
    );
    await flow.runUntilIdle();
    expect(ids().toSorted()).toEqual(events.map((event) => event.id).toSorted());
    expect(most).toBeLessThanOrEqual(2);
  });
});

describe('the response of a receiver', () => {
  it('410 disables the webhook at once and abandons pending deliveries', async () => {
    const { id } = await flow.register(me, { url: receiver.url });
    respondWith(500);
    await flow.emit(me, [{ key: 'first' }]);
    await flow.runUntilIdle();
    respondWith(410);
    await flow.emit(me, [{ key: 'second' }]);
    await flow.runUntilIdle();
    expect(await getWebhook(me, id)).toMatchObject({ state: 'disabled', disabledBy: 'gone' });
    expect((await listOf(id)).map((delivery) => delivery.state)).toEqual(['failed', 'abandoned']);
    flow.pipeline.clock.advance(day);
    await flow.emit(me, [{ key: 'third' }]);
    await flow.runUntilIdle();
    expect(receiver.requests.length).toBe(2);
    expect(await updateWebhook(me, id, { enabled: true })).toMatchObject({
      state: 'healthy',
      failingSince: null,
    });
    respondWith(200);
    await flow.emit(me, [{ key: 'fourth' }]);
    await flow.runUntilIdle();
    expect((await listOf(id)).map((delivery) => delivery.state)).toEqual([
      'succeeded',
      'failed',
      'abandoned',
    ]);
  });

  it('that redirects is a failure, and its target gets no request', async () => {
    const { id } = await flow.register(me, { url: `${receiver.url}/from` });
    respondWith(307, { location: `${receiver.url}/to` });
    await flow.emit(me, [{ key: 'fell' }]);
    await flow.runUntilIdle();
    expect(receiver.requests.map((request) => request.path)).toEqual(['/from']);
    expect(await listOf(id)).toMatchObject([
      { state: 'pending', lastAttempt: { httpStatus: 307 } },
    ]);
  });

  it('that fails while the webhook is being disabled is logged and not retried', async () => {
    const { id } = await flow.register(me, { url: receiver.url });
    receiver.respond = (response) =>
      void updateWebhook(me, id, { enabled: false }).then(() => response.writeHead(500).end());
    await flow.emit(me, [{ key: 'fell' }]);
    await flow.runUntilIdle();
    expect(await listOf(id)).toMatchObject([
      {
        state: 'abandoned',
        attempts: 1,
        nextAttemptAt: null,
        lastAttempt: { httpStatus: 500, nextAttemptAt: null },
      },
    ]);
    expect(await lastOf(id)).toMatchObject({ state: 'abandoned', httpStatus: 500 });
    flow.pipeline.clock.advance(day);
    await flow.runUntilIdle();
    expect(receiver.requests.length).toBe(1);
  });

  it('that fails for five days and twenty times disables, unless one succeeds', async () => {
    const { id } = await flow.register(me, { url: receiver.url });
    respondWith(503);
    const failFor = async (days: number, name: string) => {
      const until = new Date(flow.pipeline.clock.now().getTime() + days * day);
      for (let index = 0; flow.pipeline.clock.now() < until; index += 1) {
        await flow.emit(me, [{ key: `${name} ${index}` }]);
        const noon = new Date(flow.pipeline.clock.now().getTime() + day);
        while ((await nextDue()) < noon) {
          await flow.goOn();
          await flow.runUntilIdle();
        }
        flow.pipeline.clock.set(noon);
      }
    };
    const nextDue = async () =>
      (
        await flow.pipeline.db.pool.query(
          "select coalesce(min(next_at), 'infinity') as at from deliveries where state = " +
            "'pending'",
        )
      ).rows[0].at as Date | number as Date;
    await failFor(4, 'early');
    expect(await getWebhook(me, id)).toMatchObject({ state: 'failing', enabled: true });
    respondWith(200);
    await flow.emit(me, [{ key: 'a good one' }]);
    await flow.runUntilIdle();
    expect(await getWebhook(me, id)).toMatchObject({ state: 'healthy', failingSince: null });
    respondWith(503);
    await failFor(6, 'late');
    expect(await getWebhook(me, id)).toMatchObject({ state: 'disabled', disabledBy: 'failing' });
    const sent = receiver.requests.length;
    await flow.emit(me, [{ key: 'unheard' }]);
    flow.pipeline.clock.advance(day);
    await flow.runUntilIdle();
    expect([receiver.requests.length, (await listOf(id, { state: 'pending' })).length]).toEqual([
      sent,
      0,
    ]);
  });
});

it('the last delivery of a webhook is the one that was attempted last', async () => {
  const { id } = await flow.register(me, { url: receiver.url });
  const attempt = async (status: number) => {
    respondWith(status);
    await flow.runUntilIdle();
    return lastOf(id);
  };
  await flow.emit(me, [{ key: 'first' }]);
  const first = (await attempt(500))!;
  await flow.emit(me, [{ key: 'second' }]);
  const second = (await attempt(200))!;
  expect([first, second]).toMatchObject([
    { state: 'pending', httpStatus: 500 },
    { state: 'succeeded', httpStatus: 200 },
  ]);
  await flow.goOn();
  const at = flow.pipeline.clock.now().toISOString();
  expect(await attempt(503)).toEqual({ ...first, httpStatus: 503, at });
  const test = await sendTest(me, id, undefined, new AbortController().signal);
  expect(await lastOf(id)).toMatchObject({ id: test.deliveryId, state: 'failed' });
  await redeliverOne(me, second.id);
  expect(await attempt(204)).toMatchObject({ id: second.id, state: 'succeeded', httpStatus: 204 });
});

describe('redelivering', () => {
  it('one event keeps id and body, with a new time, as the next attempt in the log', async () => {
    const { id } = await flow.register(me, { url: receiver.url });
    await flow.emit(me, [{ key: 'fell' }]);
    await flow.runUntilIdle();
    flow.pipeline.clock.advance(60_000);
    const [delivery] = await listOf(id);
    const { job, poll } = await redeliverOne(me, delivery!.id);
    expect([job.kind, job.state, poll]).toEqual(['redeliver', 'queued', `/jobs/${job.id}`]);
    await flow.runUntilIdle();
    const [first, second] = receiver.requests;
    expect([second!.headers['webhook-id'], second!.body]).toEqual([
      first!.headers['webhook-id'],
      first!.body,
    ]);
    expect(
      Number(second!.headers['webhook-timestamp']) - Number(first!.headers['webhook-timestamp']),
    ).toBe(60);
    expect((await getDelivery(me, delivery!.id)).log.map((attempt) => attempt.number)).toEqual([
      2, 1,
    ]);
    const { rows } = await flow.pipeline.db.pool.query(
      'select state, result from jobs where id = $1',
      [job.id],
    );
    expect(rows).toEqual([{ state: 'succeeded', result: { path: `/webhooks/${id}/deliveries` } }]);
  });

  it('many sends those that ended so since an instant, once each, however often', async () => {
    const { id } = await flow.register(me, { url: receiver.url });
    receiver.respond = (response, request) =>
      response.writeHead(request.body.includes('"sequence":1,') ? 500 : 200).end();
    await flow.emit(me, [{ key: 'a' }]);
    await flow.runUntilIdle();
    flow.pipeline.clock.advance(60_000);
    const from = flow.pipeline.clock.now().toISOString();
    await flow.emit(me, [{ key: 'b' }, { key: 'c' }]);
    await flow.runUntilIdle();
    receiver.requests.length = 0;
    const { job } = await redeliverMany(me, id, { from, state: 'succeeded' });
    await flow.runUntilIdle();
    expect(
      receiver.requests.map((request) => JSON.parse(request.body).sequence).toSorted(),
    ).toEqual([2, 3]);
    await flow.pipeline.db.pool.query(
      "update jobs set state = 'queued', queued_until = null where id = $1",
      [job.id],
    );
    await flow.runUntilIdle();
    expect(receiver.requests.length).toBe(2);
  });

  it('excludes tests, and is refused for a single test', async () => {
    const { id } = await flow.register(me, { url: receiver.url });
    respondWith(500);
    const from = flow.pipeline.clock.now().toISOString();
    const { deliveryId } = await sendTest(me, id, undefined, new AbortController().signal);
    await redeliverMany(me, id, { from, state: 'failed' });
    await expect(redeliverOne(me, deliveryId)).rejects.toMatchObject({ code: 'invalid_request' });
    await flow.runUntilIdle();
    expect([receiver.requests.length, (await getWebhook(me, id)).state]).toEqual([1, 'healthy']);
  });

  it('is refused for a disabled webhook', async () => {
    const { id } = await flow.register(me, { url: receiver.url });
    await flow.emit(me, [{ key: 'fell' }]);
    await updateWebhook(me, id, { enabled: false });
    const [delivery] = await listOf(id);
    expect(delivery).toMatchObject({ state: 'abandoned', attempts: 0 });
    await expect(redeliverOne(me, delivery!.id)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(
      redeliverMany(me, id, { from: '2026-11-01T00:00:00Z', state: 'failed' }),
    ).rejects.toMatchObject({ code: 'invalid_request' });
    await updateWebhook(me, id, { enabled: true });
    await redeliverOne(me, delivery!.id);
    await flow.runUntilIdle();
    expect((await listOf(id))[0]).toMatchObject({ state: 'succeeded', attempts: 1 });
  });
});

it('a secret encrypted with another key sends nothing and keeps its attempts', async () => {
  const { id } = await flow.register(me, { url: receiver.url });
  const { rows } = await flow.pipeline.db.pool.query('select secret from webhooks where id = $1', [
    id,
  ]);
  await flow.pipeline.db.pool.query(
    'update webhooks set secret = set_byte(secret, 2, 255 - get_byte(secret, 2)) where id = $1',
    [id],
  );
  await flow.emit(me, [{ key: 'fell' }]);
  await flow.runUntilIdle();
  expect([receiver.requests.length, (await listOf(id))[0]]).toMatchObject([
    0,
    { state: 'pending', attempts: 0 },
  ]);
  await flow.pipeline.db.pool.query('update webhooks set secret = $2 where id = $1', [
    id,
    rows[0].secret,
  ]);
  await flow.goOn();
  await flow.runUntilIdle();
  expect((await listOf(id))[0]).toMatchObject({ state: 'succeeded', attempts: 1 });
});

it('deliveries are deleted 30 days after their end, their events are not', async () => {
  const { id } = await flow.register(me, { url: receiver.url });
  await flow.emit(me, [{ key: 'old' }]);
  await flow.runUntilIdle();
  flow.pipeline.clock.advance(30 * day);
  await flow.emit(me, [{ key: 'new' }]);
  await flow.runUntilIdle();
  await flow.pipeline.db.pool.query(
    `insert into runs (date, opened_at, state) values ($1::timestamptz - interval '1 day', $1,
       'finished')`,
    [flow.pipeline.clock.now()],
  );
  await applyRetention(flow.pipeline.runtime.services, AbortSignal.timeout(60_000));
  expect((await listOf(id)).length).toBe(2);
  flow.pipeline.clock.advance(1);
  await applyRetention(flow.pipeline.runtime.services, AbortSignal.timeout(60_000));
  expect((await listOf(id)).map((delivery) => delivery.sequence)).toEqual([2]);
  const { rows } = await flow.pipeline.db.pool.query(
    "select count(*)::int as events from events where workspace_id = $1 and key in ('old', 'new')",
    [me.workspaceId],
  );
  expect(rows[0].events).toBe(2);
  expect(await lastOf(id)).toMatchObject({ state: 'succeeded' });
  await inSystem(me, (tx) => purgeDeliveries(tx, flow.pipeline.clock.now()));
  expect(await lastOf(id)).toBeNull();
});
