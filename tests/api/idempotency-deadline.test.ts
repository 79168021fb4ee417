import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { until } from '../harness/load-recorder.ts';

const minuteMs = 60_000;

/** Work of each test: how it ends, and how often it was started. */
let ending = Promise.withResolvers<string | null>();
let starts = 0;
let api: TestApi;
let me: Account;
beforeAll(async () => {
  api = await startApi({
    deps: { timeoutsMs: { write: 300 } },
    services: {
      webhooks: {
        checkUrl: () => {
          starts += 1;
          return ending.promise;
        },
        send: () => Promise.reject(new Error('nothing is sent')),
      },
    },
  });
  me = await api.signUp();
});
afterAll(() => api.close());

const register = (key: string) =>
  api.raw(
    '/webhooks',
    {
      method: 'POST',
      body: JSON.stringify({ url: 'https://example.org/h', events: ['rank.dropped'] }),
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
    },
    me,
  );

const listWebhooks = async () =>
  (await api.ok('GET /webhooks', null, me)).items.map(({ id }) => id);

const repeatUntil = async (key: string, status: number) => {
  let repeated = await register(key);
  await until(
    async () => repeated.status === status || (repeated = await register(key)).status === status,
    60_000,
    `status ${status}`,
  );
  return repeated;
};

test('work that outlives its request runs once, and a repeat gets its response', async () => {
  [ending, starts] = [Promise.withResolvers(), 0];
  const before = await listWebhooks();
  const first = await register('slow');
  expect([first.status, first.body.code, first.headers.has('retry-after')]).toEqual([
    503,
    'unavailable',
    true,
  ]);
  expect((await register('slow')).status).toBe(503);
  ending.resolve(null);
  const repeated = await repeatUntil('slow', 201);
  expect(starts).toBe(1);
  expect(await listWebhooks()).toEqual([repeated.body.id, ...before]);
});

test('work that fails after its request releases its key', async () => {
  [ending, starts] = [Promise.withResolvers(), 0];
  expect((await register('fails')).status).toBe(503);
  ending.resolve('it is refused');
  await repeatUntil('fails', 400);
  expect(starts).toBe(2);
});

test('work of many minutes is not done a second time', async () => {
  [ending, starts] = [Promise.withResolvers(), 0];
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    expect((await register('long')).status).toBe(503);
    for (let minute = 0; minute < 5; minute += 1) {
      api.clock.set(new Date(api.clock.now().getTime() + minuteMs).toISOString());
      vi.advanceTimersByTime(minuteMs);
      await until(isRenewed, 60_000, 'a renewed claim');
    }
    expect((await register('long')).status).toBe(503);
    ending.resolve(null);
    await repeatUntil('long', 201);
    expect(starts).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

const isRenewed = async () => {
  const { rowCount } = await api.db.pool.query(
    'select from idempotency where response is null and created_at = $1',
    [api.clock.now()],
  );
  return rowCount === 1;
};
