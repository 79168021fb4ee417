import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SignInThrottle } from '#api/limits/sign-in-throttle.ts';
import { createCounters } from '#boot/counters.ts';
import { readConfig } from '#config/env.ts';
import { PostgresAttempts } from '#counters/postgres-attempts.ts';
import { openPool } from '#db/pool.ts';
import type { AttemptCounters } from '#domain/base/ports/attempt-counters.ts';
import { AppError } from '#domain/base/errors.ts';
import { createTokenSecret } from '#domain/accounts/tokens/token-secret.ts';
import { silentLogger } from '#lib/logger.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { startApi, type Credential, type TestApi } from '../harness/api.ts';

let api: TestApi;
const bearer = (secret: string): Credential => ({ headers: { authorization: `Bearer ${secret}` } });

describe('rejected credentials', () => {
  beforeEach(async () => {
    api = await startApi();
  });
  afterEach(() => api.close());

  test('are limited to 120 a minute per address, which then blocks valid tokens too', async () => {
    const ann = await api.signUp();
    const token = await api.token(ann);
    const unknown = bearer(createTokenSecret());
    const statuses: number[] = [];
    const client = async () => {
      while (statuses.length < 200) {
        const index = statuses.push(0) - 1;
        statuses[index] = (await api.call('GET /errors', null, unknown)).status;
      }
    };
    await Promise.all(Array.from({ length: 64 }, client));
    expect(statuses.filter((status) => status === 401)).toHaveLength(120);
    expect(statuses.filter((status) => status === 429)).toHaveLength(statuses.length - 120);
    const refused = await api.call('GET /workspace', null, token);
    expect(refused.body).toMatchObject({
      statusCode: 429,
      code: 'credential_throttled',
      retryAfterSeconds: 60,
    });
    expect(refused.headers.get('retry-after')).toBe('60');
    const elsewhere = await api.raw(
      '/workspace',
      { headers: { 'x-forwarded-for': '203.0.113.4' } },
      token,
    );
    expect(elsewhere.status).toBe(200);
    api.clock.advance(60_000);
    expect((await api.call('GET /workspace', null, token)).status).toBe(200);
  });

  test('do not include accepted ones, however many run at once', async () => {
    const token = await api.token(await api.signUp());
    const responses = await Promise.all(
      Array.from({ length: 150 }, () => api.call('GET /errors', null, token)),
    );
    expect(responses.every((response) => response.status === 200)).toBe(true);
  });

  test('do not include requests without a credential', async () => {
    for (let index = 0; index < 130; index += 1) await api.call('GET /errors');
    expect((await api.call('GET /errors')).status).toBe(401);
  });
});

describe('rejected credentials in two processes', () => {
  let here: TestApi;
  let there: TestApi;
  let counters: AttemptCounters;
  let stop: () => Promise<void>;
  const startBoth = async (
    attemptsOf: (api: {
      db: TestDatabase;
    }) => Promise<{ attempts: AttemptCounters; close(): Promise<void> }>,
  ) => {
    const db = await createTestDatabase();
    const [one, other] = [await attemptsOf({ db }), await attemptsOf({ db })];
    counters = one.attempts;
    here = await startApi({ db, deps: { attempts: counters } });
    there = await startApi({
      db,
      clock: here.clock,
      deps: { authSecret: here.authSecret, attempts: other.attempts },
    });
    stop = async () => {
      await Promise.all([here.close(), there.close()]);
      await Promise.all([one.close(), other.close()]);
      await db.drop();
    };
  };
  const inPostgres = async ({ db }: { db: TestDatabase }) => {
    const pool = openPool({
      url: db.url,
      role: 'system',
      max: 2,
      statementTimeoutMs: 10_000,
      log: silentLogger,
    });
    return { attempts: new PostgresAttempts(pool), close: () => pool.end() };
  };
  /** A Redis that does not exist. */
  const nowhere = async ({ db }: { db: TestDatabase }) => {
    const services = { ...api.services, systemDb: db.systemDb };
    return createCounters(readConfig({ LIMITS_URL: 'redis://127.0.0.1:1' }), services, db.pool);
  };
  const statusesOf = async (count: number, ask: (index: number) => Promise<{ status: number }>) => {
    const statuses: number[] = [];
    const client = async () => {
      while (statuses.length < count) {
        const index = statuses.push(0) - 1;
        statuses[index] = (await ask(index)).status;
      }
    };
    await Promise.all(Array.from({ length: 64 }, client));
    return [401, 429].map((status) => statuses.filter((each) => each === status).length);
  };
  const signIn = (on: TestApi, address: string, email = 'nobody@example.org') =>
    on.raw('/auth/sign-in', {
      method: 'POST',
      body: JSON.stringify({ email, password: 'wrong-wrong-wrong' }),
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    });

  beforeAll(async () => {
    api = await startApi();
  });
  afterEach(() => stop());
  afterAll(() => api.close());

  test('share one limit of 120 a minute, and a block applies to both within a second', async () => {
    await startBoth(inPostgres);
    const token = await here.token(await here.signUp());
    const unknown = bearer(createTokenSecret());
    expect(
      await statusesOf(300, (index) =>
        (index % 2 ? here : there).call('GET /errors', null, unknown),
      ),
    ).toEqual([120, 180]);
    for (const each of [here, there])
      expect((await each.call('GET /workspace', null, token)).body).toMatchObject({
        code: 'credential_throttled',
      });
    expect(
      (await here.raw('/workspace', { headers: { 'x-forwarded-for': '203.0.113.4' } }, token))
        .status,
    ).toBe(200);
  });

  test('block an address in the other process, too', async () => {
    await startBoth(inPostgres);
    const token = await here.token(await here.signUp());
    expect(await statusesOf(121, () => here.call('GET /errors', null, bearer('x')))).toEqual([
      120, 1,
    ]);
    const blockedMs = performance.now();
    const isRefused = async () => (await there.call('GET /workspace', null, token)).status === 429;
    // It takes half a second; a busy machine needs more.
    while (!(await isRefused())) expect(performance.now() - blockedMs).toBeLessThan(20_000);
    here.clock.advance(60_000);
    expect((await there.call('GET /workspace', null, token)).status).toBe(200);
  });

  test('share the limits of sign-ins per address and of failures per account', async () => {
    await startBoth(inPostgres);
    expect(
      await statusesOf(30, (index) =>
        signIn(index % 2 ? here : there, '127.9.1.1', `p${index}@example.org`),
      ),
    ).toEqual([10, 20]);
    const account = await here.signUp();
    // Checking a password takes long; most failures are counted without one.
    const throttle = new SignInThrottle(counters);
    const fail = () => Promise.reject(new AppError('unauthenticated'));
    for (let count = 0; count < 90; count += 1)
      await throttle.countFailure(account.email, `127.9.4.${count}`, fail).catch(() => undefined);
    for (let count = 0; count < 10; count += 1)
      expect(
        (await signIn(count % 2 ? here : there, `127.9.2.${count}`, account.email)).status,
      ).toBe(401);
    const refused = await signIn(there, '127.9.3.1', account.email);
    expect([refused.status, refused.body.code]).toEqual([429, 'auth_throttled']);
  });

  test('are limited by each process alone while the shared store is down', async () => {
    await startBoth(nowhere);
    for (const [each, address] of [
      [here, '127.9.4.1'],
      [there, '127.9.4.2'],
    ] as const) {
      expect(await statusesOf(200, () => each.call('GET /errors', null, bearer('x')))).toEqual([
        120, 80,
      ]);
      expect(await statusesOf(20, () => signIn(each, address))).toEqual([10, 10]);
    }
  });
});

describe('the client’s address', () => {
  afterEach(() => api.close());
  const exhaust = async (headers: (index: number) => Record<string, string>, count = 121) => {
    let last = 0;
    for (let index = 0; index < count; index += 1)
      last = (
        await api.raw('/errors', { headers: { authorization: 'Bearer x', ...headers(index) } })
      ).status;
    return last;
  };

  test('ignores forwarded headers without a trusted gateway', async () => {
    api = await startApi({ config: { gatewayKey: 'the-gateway' } });
    expect(await exhaust((index) => ({ 'x-forwarded-for': `198.51.100.${index}` }))).toBe(429);
  });

  test('is the rightmost hop that is not a trusted proxy', async () => {
    api = await startApi({ config: { trustProxy: ['10.0.0.0/8'] } });
    expect(
      await exhaust((index) => ({
        'x-forwarded-for': `198.51.100.${index}, 203.0.113.5, 10.1.2.3`,
      })),
    ).toBe(429);
    expect(await exhaust(() => ({ 'x-forwarded-for': '203.0.113.6, 10.1.2.3' }), 1)).toBe(401);
  });

  test('is counted by /64 for IPv6, and as IPv4 when mapped', async () => {
    api = await startApi();
    expect(
      await exhaust((index) => ({ 'x-forwarded-for': `2001:db8:1:2::${index.toString(16)}` })),
    ).toBe(429);
    expect(await exhaust(() => ({ 'x-forwarded-for': '2001:db8:1:3::1' }), 1)).toBe(401);
    expect(await exhaust(() => ({ 'x-forwarded-for': '::ffff:203.0.113.9' }))).toBe(429);
    expect(await exhaust(() => ({ 'x-forwarded-for': '203.0.113.9' }), 1)).toBe(429);
  });

  test('is counted without the port that some proxies add', async () => {
    api = await startApi({ config: { trustProxy: ['10.0.0.0/8'] } });
    expect(
      await exhaust((index) => ({
        'x-forwarded-for': `203.0.113.5:${49_152 + index}, 10.1.2.3:${50_000 + index}`,
      })),
    ).toBe(429);
    expect(await exhaust(() => ({ 'x-forwarded-for': '203.0.113.5' }), 1)).toBe(429);
    expect(await exhaust(() => ({ 'x-forwarded-for': '203.0.113.6:49152' }), 1)).toBe(401);
    expect(await exhaust(() => ({ 'x-forwarded-for': '[2001:db8::1]:49152' }), 1)).toBe(401);
  });
});
