import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Ctx } from '#domain/base/context.ts';
import { getDelivery, listDeliveries } from '#domain/alerting/webhooks/list-deliveries.ts';
import { readSecret } from '#domain/alerting/webhooks/secrets.ts';
import { utcDayOf } from '#lib/dates.ts';
import { startDeliveries, type Deliveries } from '../harness/deliveries.ts';
import { startReceiver, type Receiver } from '../harness/receiver.ts';
import { trackProgress } from '../harness/progress.ts';

const scale = process.env.TORTURE
  ? { scripts: 1_000, deliveries: 1_000 }
  : { scripts: 8, deliveries: 32 };
const second = 1_000;
const hour = 3_600 * second;
/** As documented. */
const waits = [
  0,
  5 * second,
  300 * second,
  1_800 * second,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

let flow: Deliveries;
let receiver: Receiver;
let me: Ctx;
beforeAll(async () => {
  flow = await startDeliveries(utcDayOf(new Date()));
  receiver = await startReceiver();
});
beforeEach(async () => {
  me = await flow.join();
  receiver.requests.length = 0;
});
afterAll(async () => {
  await flow.close();
  await receiver.close();
});

/** Virtual time moves from one due instant to the next, until nothing is due. */
async function runToTheEnd(): Promise<void> {
  do await flow.runUntilIdle();
  while (await flow.goOn());
}

it('ten attempts at their times have the same id and body; then the delivery fails', async () => {
  const { id } = await flow.register(me, { url: receiver.url });
  const at: number[] = [];
  receiver.respond = (response) => {
    at.push(flow.pipeline.clock.now().getTime());
    response.writeHead(500).end();
  };
  await flow.emit(me, [{ key: 'fell' }]);
  await flow.runUntilIdle();
  while (await flow.goOn()) {
    const due = flow.pipeline.clock.now();
    flow.pipeline.clock.set(new Date(due.getTime() - 1));
    const before = at.length;
    await flow.runUntilIdle();
    expect(at.length).toBe(before);
    flow.pipeline.clock.set(due);
    await flow.runUntilIdle();
    expect(at.length).toBe(before + 1);
  }
  expect(at.length).toBe(10);
  for (let index = 1; index < 10; index += 1) {
    const ratio = (at[index]! - at[index - 1]!) / waits[index]!;
    expect([index, ratio >= 0.8 && ratio <= 1.2]).toEqual([index, true]);
  }
  expect(new Set(receiver.requests.map((request) => request.headers['webhook-id'])).size).toBe(1);
  expect(new Set(receiver.requests.map((request) => request.body)).size).toBe(1);
  expect(receiver.requests.map((request) => Number(request.headers['webhook-timestamp']))).toEqual(
    at.map((ms) => Math.floor(ms / second)),
  );
  const [delivery] = (await listDeliveries(me, id, { limit: 10 })).items;
  expect(delivery).toMatchObject({ state: 'failed', attempts: 10, nextAttemptAt: null });
  flow.pipeline.clock.advance(100 * 24 * hour);
  await flow.runUntilIdle();
  expect(at.length).toBe(10);
});

type RawReply = { status: number; retryAfter?: number };

/** Always the same for the same number. */
function scriptOf(number: number): RawReply[] {
  const bytes = createHash('sha256').update(`script ${number}`).digest();
  return Array.from({ length: 10 }, (_, index): RawReply => {
    const roll = bytes[index]! % 12;
    if (roll === 0) return { status: 410 };
    if (roll <= 1) return { status: 204 };
    if (roll <= 4)
      return { status: roll % 2 ? 429 : 503, retryAfter: 10 ** (bytes[index + 10]! % 6) };
    if (roll === 5) return { status: 0 };
    return { status: [302, 400, 404, 500, 504][bytes[index + 10]! % 5]! };
  });
}

/** The expected log: the responses up to the first final one, and the state. */
function model(script: RawReply[]): { seen: RawReply[]; status: string } {
  const end = script.findIndex(({ status }) => status === 204 || status === 410);
  const seen = end === -1 ? script : script.slice(0, end + 1);
  return { seen, status: end !== -1 && script[end]!.status === 204 ? 'succeeded' : 'failed' };
}

it(`the logs and waits of ${scale.scripts} random receivers match the model`, async () => {
  const counts = new Map<string, number>();
  receiver.respond = (response, { path }) => {
    const sent = counts.get(path) ?? 0;
    counts.set(path, sent + 1);
    const reply = scriptOf(Number(path.slice(1)))[sent];
    if (!reply || reply.status === 0) return void response.socket!.destroy();
    const headers =
      reply.retryAfter === undefined ? {} : { 'retry-after': String(reply.retryAfter) };
    response.writeHead(reply.status, headers).end();
  };
  const hooks: number[] = [];
  const part = { name: 'receivers', total: scale.scripts, limitMs: 1_200_000 };
  await trackProgress(part, async ({ add }) => {
    for (let number = 0; number < scale.scripts; number += 1) {
      const owner = await flow.join();
      hooks.push((await flow.register(owner, { url: `${receiver.url}/${number}` })).id);
      await flow.emit(owner, [{ key: `script ${number}` }]);
      add();
    }
    await runToTheEnd();
  });
  for (const [number, webhookId] of hooks.entries()) {
    const { rows } = await flow.pipeline.db.pool.query(
      'select id, workspace_id from deliveries where webhook_id = $1',
      [webhookId],
    );
    const reader = { ...me, workspaceId: rows[0].workspace_id };
    const { state: status, log } = await getDelivery(reader, Number(rows[0].id));
    const expected = model(scriptOf(number));
    const attempts = log.toReversed();
    expect([number, status, attempts.map((attempt) => attempt.httpStatus ?? 0)]).toEqual([
      number,
      expected.status,
      expected.seen.map((response) => response.status),
    ]);
    for (const [index, attempt] of attempts.slice(1).entries()) {
      const wait = waits[index + 1]!;
      const asked = (expected.seen[index]!.retryAfter ?? 0) * second;
      const waited = Date.parse(attempt.at) - Date.parse(attempts[index]!.at);
      expect([
        number,
        index,
        waited >= Math.max(Math.min(asked, 3_600 * second), 0.8 * wait) - 1,
      ]).toEqual([number, index, true]);
      expect([
        number,
        index,
        waited <= Math.max(1.2 * wait, Math.min(asked, 3_600 * second)) + 1,
      ]).toEqual([number, index, true]);
    }
  }
}, 1_260_000);

it(`${scale.deliveries} deliveries of random texts verify with the public library`, async () => {
  flow.pipeline.clock.set(new Date());
  const readers = new Map<string, Webhook>();
  const secrets = [
    undefined,
    'eight ch',
    'ein längeres Geheimnis, 秘密',
    `whsec_${Buffer.alloc(40, 3).toString('base64')}`,
  ];
  for (const [index, secret] of secrets.entries()) {
    const made = await flow.register(me, {
      url: `${receiver.url}/${index}`,
      events: ['metadata.changed'],
      ...(secret && { secret }),
    });
    const { bytes } = readSecret(made.secret ?? secret);
    readers.set(`/${index}`, new Webhook(new Uint8Array(bytes), { format: 'raw' }));
  }
  const faults: string[] = [];
  receiver.respond = (response, { path, body, headers }) => {
    try {
      readers.get(path)!.verify(body, headers as Record<string, string>);
    } catch (error) {
      faults.push(`${path}: ${(error as Error).message}`);
    }
    response.writeHead(200).end();
  };
  const count = scale.deliveries / secrets.length;
  const events = await flow.emit(
    me,
    Array.from({ length: count }, (_, index) => ({
      key: `words ${index}`,
      type: 'metadata.changed' as const,
      data: {
        subject: 'app' as const,
        competitorId: null,
        listing: {
          store: 'ios' as const,
          storeAppId: '1',
          name: String.fromCodePoint(0x1f300 + index),
          developer: '"\\\n\u2028',
        },
        country: 'us',
        date: '2026-11-21',
        previousDate: '2026-11-20',
        changes: [
          {
            field: 'installs',
            before: BigInt(index) * 2n ** 50n,
            after: 2n ** 63n - 1n - BigInt(index),
          },
        ],
      },
    })),
  );
  await flow.runUntilIdle();
  expect(faults).toEqual([]);
  for (const path of readers.keys()) {
    const got = receiver.requests.filter((request) => request.path === path);
    expect(got.map((request) => request.headers['webhook-id']).toSorted()).toEqual(
      events.map((event) => event.id).toSorted(),
    );
  }
  expect(receiver.requests.some((request) => request.body.includes('9223372036854775807'))).toBe(
    true,
  );
}, 300_000);
