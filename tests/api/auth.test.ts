import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setupTokenOf } from '#boot/secrets.ts';
import { storeSetupToken } from '#domain/accounts/auth/sign-up.ts';
import { hashPassword } from '#domain/accounts/auth/password-hashing.ts';
import { hash } from '@node-rs/argon2';
import { isCommonPassword } from '#domain/accounts/auth/password-rules.ts';
import {
  startApi,
  testPassword,
  type ApiOptions,
  type RawResponse,
  type TestApi,
} from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { describeTables } from './keywords.fixtures.ts';

keepOrder('tests share addresses, whose attempts are counted for an hour');

let api: TestApi;
const password = testPassword;
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  api.raw(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const cookieOf = (response: RawResponse) => ({
  headers: {
    cookie: response.headers.get('set-cookie')!.split(';')[0]!,
    'sec-fetch-site': 'same-origin',
  },
});
const from = (address: string) => ({ 'x-forwarded-for': address });

describe('sessions', () => {
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());

  test('give the same access as tokens', async () => {
    const ann = await api.signUp();
    const token = await api.token(ann);
    expect((await api.ok('GET /auth/session', null, ann)).credential).toBe('session');
    expect((await api.ok('GET /auth/session', null, token)).credential).toBe('token');
    const nobody = await api.call('GET /workspace');
    expect(nobody.status).toBe(401);
    expect(nobody.body.code).toBe('unauthenticated');
  });

  test('start with sign-up or sign-in in an HttpOnly cookie, and end with sign-out', async () => {
    const up = await post(
      '/auth/sign-up',
      { email: ' Eve@Example.org ', password, name: 'Eve' },
      from('203.0.113.1'),
    );
    // Plain http from another machine is refused with the reason.
    expect(up.status).toBe(403);
    const here = await post('/auth/sign-up', {
      email: ' Eve@Example.org ',
      password,
      name: 'Eve',
    });
    expect(here.status).toBe(201);
    expect(here.body.user).toMatchObject({ email: 'eve@example.org', name: 'Eve' });
    expect(here.headers.get('set-cookie')).toMatch(
      /^toprung_session=[\w-]{43}\.[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    );
    const eve = cookieOf(here);
    expect((await api.ok('GET /auth/state', null, eve)).signedIn).toBe(true);
    expect((await api.call('POST /auth/sign-out', null, eve)).status).toBe(200);
    expect((await api.call('GET /auth/session', null, eve)).status).toBe(401);
    const again = await post('/auth/sign-in', { email: 'EVE@example.org', password });
    expect(again.status).toBe(200);
  });

  test('use a Secure __Host- cookie over https, and no other', async () => {
    const https = {
      'x-forwarded-proto': 'https',
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': 'aso.example.org',
    };
    const up = await post('/auth/sign-up', { email: 'tls@example.org', password }, https);
    expect(up.headers.get('set-cookie')).toMatch(
      /^__Host-toprung_session=\S+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
    );
    const value = up.headers.get('set-cookie')!.split(';')[0]!.split('=')[1]!;
    const plain = await api.raw('/auth/session', {
      headers: { ...https, cookie: `toprung_session=${value}` },
    });
    expect(plain.status).toBe(401);
    const prefixed = await api.raw('/auth/session', {
      headers: { ...https, cookie: `__Host-toprung_session=${value}` },
    });
    expect(prefixed.status).toBe(200);
  });

  test('have one spelling of their cookie', async () => {
    const ann = await api.signUp();
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const cookie = ann.headers.cookie!;
    const bits = digits.indexOf(cookie.at(-1)!);
    // The last digit has two bits that decoding ignores.
    for (const spare of [1, 2, 3]) {
      const other = cookie.slice(0, -1) + digits[bits ^ spare];
      const changed = { headers: { ...ann.headers, cookie: other } };
      expect((await api.call('GET /workspace', null, changed)).status).toBe(401);
    }
    expect((await api.call('GET /workspace', null, ann)).status).toBe(200);
  });

  test('get a new id at each sign-in, which ends the one presented', async () => {
    const ann = await api.signUp();
    const next = await post(
      '/auth/sign-in',
      { email: ann.email, password },
      { ...ann.headers, ...from('127.0.0.2') },
    );
    expect(next.status).toBe(200);
    expect((await api.call('GET /auth/session', null, ann)).status).toBe(401);
    expect((await api.call('GET /auth/session', null, cookieOf(next))).status).toBe(200);
  });

  test('end after 7 days without use and after 30 days in any case', async () => {
    const idle = await api.signUp();
    const busy = await api.signUp();
    const day = 86_400_000;
    const start = api.clock.now();
    for (let days = 6; days < 30; days += 6) {
      api.clock.set(new Date(start.getTime() + days * day));
      expect((await api.call('GET /workspace', null, busy)).status).toBe(200);
      // The time of use is written in the background.
      await expect
        .poll(async () =>
          (
            await api.db.pool.query('select last_seen_at from sessions where id = $1', [
              busy.sessionId,
            ])
          ).rows[0].last_seen_at.getTime(),
        )
        .toBe(api.clock.now().getTime());
    }
    expect((await api.call('GET /workspace', null, idle)).status).toBe(401);
    api.clock.set(new Date(start.getTime() + 30 * day));
    expect((await api.call('GET /workspace', null, busy)).status).toBe(401);
  });

  test('are listed, and ended one by one or all but the current one', async () => {
    const ann = await api.signUp();
    const other = cookieOf(
      await post('/auth/sign-in', { email: ann.email, password }, from('127.0.0.3')),
    );
    const third = cookieOf(
      await post('/auth/sign-in', { email: ann.email, password }, from('127.0.0.3')),
    );
    const { items } = await api.ok('GET /auth/sessions', null, ann);
    expect(items).toHaveLength(3);
    expect(items.filter((row) => row.current).map((row) => row.id)).toEqual([ann.sessionId]);
    const { id } = items.find((row) => !row.current)!;
    expect(await api.ok('DELETE /auth/sessions/{id}', { params: { id } }, ann)).toEqual({
      id,
      deleted: true,
    });
    expect((await api.call('DELETE /auth/sessions/{id}', { params: { id } }, ann)).status).toBe(
      404,
    );
    expect(await api.ok('DELETE /auth/sessions', null, ann)).toEqual({ revoked: 1 });
    expect((await api.call('GET /workspace', null, other)).status).toBe(401);
    expect((await api.call('GET /workspace', null, third)).status).toBe(401);
    expect((await api.call('GET /workspace', null, ann)).status).toBe(200);
  });

  test('end with a change of the password, except the current one', async () => {
    const ann = await api.signUp();
    const other = cookieOf(
      await post('/auth/sign-in', { email: ann.email, password }, from('127.0.0.4')),
    );
    const next = 'Другой пароль, длиннее';
    expect(
      (await api.call('POST /auth/password', { body: { current: 'wrong-wrong-wrong', next } }, ann))
        .status,
    ).toBe(401);
    expect(await api.ok('POST /auth/password', { body: { current: password, next } }, ann)).toEqual(
      { changed: true, otherSessionsRevoked: 1 },
    );
    expect((await api.call('GET /workspace', null, other)).status).toBe(401);
    expect(
      (await post('/auth/sign-in', { email: ann.email, password }, from('127.0.0.4'))).status,
    ).toBe(401);
    expect(
      (await post('/auth/sign-in', { email: ann.email, password: next }, from('127.0.0.4'))).status,
    ).toBe(200);
  });

  test('upgrade a weaker password hash at sign-in', async () => {
    const ann = await api.signUp();
    const weak = await hash(password, { memoryCost: 4_096, timeCost: 1, parallelism: 1 });
    await api.db.pool.query('update users set password_hash = $1 where id = $2', [
      weak,
      ann.userId,
    ]);
    expect(
      (await post('/auth/sign-in', { email: ann.email, password }, from('127.0.0.5'))).status,
    ).toBe(200);
    const { rows } = await api.db.pool.query('select password_hash from users where id = $1', [
      ann.userId,
    ]);
    expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('are refused alike for an unknown address and for a wrong password', async () => {
    const ann = await api.signUp();
    const known = await post(
      '/auth/sign-in',
      { email: ann.email, password: 'not-the-password' },
      from('127.0.0.6'),
    );
    const unknown = await post(
      '/auth/sign-in',
      { email: 'nobody@example.org', password: 'not-the-password' },
      from('127.0.0.6'),
    );
    expect(known.status).toBe(401);
    expect(known.text.replace(known.body.timestamp, '')).toBe(
      unknown.text.replace(unknown.body.timestamp, ''),
    );
  });

  test('sign-up does not reveal whether an address has an account', async () => {
    const ann = await api.signUp();
    const response = await post('/auth/sign-up', { email: ann.email, password }, from('127.0.0.8'));
    expect([response.status, response.body.issues]).toEqual([
      400,
      [
        {
          path: 'email',
          code: 'invalid',
          message: 'this address cannot be used',
          limit: null,
          actual: null,
        },
      ],
    ]);
    expect(response.text).not.toMatch(/account|exist|taken|already/i);
  });

  test.each([
    ['short', 'elevenbytes', 12],
    ['129 bytes', 'x1'.repeat(64) + 'y', 128],
    ['65 two-byte characters', 'ж'.repeat(65), 128],
  ])('a password of %s is refused with its length in bytes', async (_name, tried, limit) => {
    const response = await post(
      '/auth/sign-up',
      { email: 'new@example.org', password: tried },
      from('127.0.0.7'),
    );
    expect(response.status).toBe(400);
    expect(response.body.issues).toEqual([
      {
        path: 'password',
        code: expect.stringMatching(/^too_(large|small)$/),
        message: expect.any(String),
        limit,
        actual: Buffer.byteLength(tried),
      },
    ]);
  });

  test('common passwords of twelve bytes and more are refused, passphrases are not', () => {
    const common = [
      'password1234',
      'Passw0rd1234!',
      'qwertyuiop[]',
      'qwertyuiop12',
      '123456789012',
      '1qaz2wsx3edc',
      'iloveyou1234',
      'aaaaaaaaaaaa',
      'abc123abc123',
      'passwordpassword',
      'welcome2026!',
      'administrator1',
      'letmein123456',
      'football2024',
      '1q2w3e4r5t6y',
      'zxcvbnm12345',
      'monkey123456',
      '112233445566',
      '123456654321',
      '111111222222',
      '!!!!1234!!!!',
      '😀😀😀😀',
    ];
    const good = [
      password,
      'correct horse battery',
      'purple-otter-42-sings',
      'qwerty lighthouse pen',
      'пять зелёных лун',
      'kJ8#mP2$xL9@',
      '918273564092',
      '🌵🚲🍉🦊',
      '73-19-04-88-25',
    ];
    expect(common.filter((text) => !isCommonPassword(text))).toEqual([]);
    expect(good.filter(isCommonPassword)).toEqual([]);
  });
});

describe('sign-in throttling', () => {
  beforeEach(async () => {
    api = await startApi();
  });
  afterEach(() => api.close());

  test('allows exactly ten a minute from an address, then 429 with Retry-After', async () => {
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        post('/auth/sign-in', { email: `p${index}@example.org`, password }, from('127.9.0.1')),
      ),
    );
    const statuses = responses.map((response) => response.status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    const refused = responses.find((response) => response.status === 429)!;
    expect(refused.body).toMatchObject({ code: 'auth_throttled', retryAfterSeconds: 60 });
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(
      (await post('/auth/sign-in', { email: 'p@example.org', password }, from('127.9.0.2'))).status,
    ).toBe(401);
    api.clock.advance(60_000);
    expect(
      (await post('/auth/sign-in', { email: 'p@example.org', password }, from('127.9.0.1'))).status,
    ).toBe(401);
  });

  test('does not count requests from other sites’ pages', async () => {
    const ann = await api.signUp();
    const visitor = from('127.0.4.1');
    const foreign = { ...visitor, 'sec-fetch-site': 'cross-site' };
    const paths = ['/auth/sign-in', '/auth/password/forgot'];
    for (const path of paths)
      for (let count = 0; count < 11; count += 1) {
        const { status, body } = await post(path, { email: ann.email, password }, foreign);
        expect([path, status, body.code]).toEqual([path, 403, 'forbidden']);
      }
    expect((await post('/auth/sign-in', { email: ann.email, password }, visitor)).status).toBe(200);
    expect((await post('/auth/password/forgot', { email: ann.email }, visitor)).status).toBe(202);
  });

  test('blocks an account for an address after ten failures in 15 minutes', async () => {
    const ann = await api.signUp();
    const attempt = (secret: string, address: string) => {
      api.clock.advance(10_000);
      return post('/auth/sign-in', { email: ann.email, password: secret }, from(address));
    };
    for (let index = 0; index < 10; index += 1)
      expect((await attempt('wrong-wrong-wrong', '127.9.0.3')).status).toBe(401);
    expect((await attempt(password, '127.9.0.3')).status).toBe(429);
    expect((await attempt(password, '127.9.0.4')).status).toBe(200);
    api.clock.advance(15 * 60_000);
    expect((await attempt(password, '127.9.0.3')).status).toBe(200);
  });

  test('blocks an account after a hundred failures an hour from any addresses', async () => {
    const ann = await api.signUp();
    const statuses: number[] = [];
    for (let index = 0; index < 101; index += 1) {
      const address = `127.10.${Math.floor(index / 8)}.1`;
      statuses.push(
        (
          await post(
            '/auth/sign-in',
            { email: ann.email, password: 'wrong-wrong-wrong' },
            from(address),
          )
        ).status,
      );
    }
    expect(statuses.slice(0, 100).every((status) => status === 401)).toBe(true);
    expect(statuses[100]).toBe(429);
  });

  test('queues fifty passwords to hash and refuses more with Retry-After', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, () => hashPassword(password)),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(8);
    expect(refused[0]).toMatchObject({ reason: { code: 'unavailable' } });
  });
});

describe('the first account', () => {
  const fresh = async (options?: ApiOptions) => {
    api = await startApi(options);
  };
  afterEach(() => api.close());
  const remote = {
    'x-forwarded-for': '203.0.113.7',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'aso.example.org',
  };

  test('is created from this machine; a second one is refused', async () => {
    await fresh({ config: { signUp: 'invite' } });
    expect(await api.ok('GET /auth/state')).toEqual({
      signUp: 'invite',
      signUpOpen: true,
      signedIn: false,
      needsFirstUser: true,
    });
    expect((await post('/auth/sign-up', { email: 'one@example.org', password })).status).toBe(201);
    expect(await api.ok('GET /auth/state')).toEqual({
      signUp: 'invite',
      signUpOpen: false,
      signedIn: false,
      needsFirstUser: false,
    });
    expect((await post('/auth/sign-up', { email: 'two@example.org', password })).status).toBe(404);
  });

  test('is created once, however many try at once', async () => {
    await fresh({ config: { signUp: 'invite' } });
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        post('/auth/sign-up', { email: `p${index}@example.org`, password }),
      ),
    );
    expect(responses.map((response) => response.status).toSorted()).toEqual([
      201, 404, 404, 404, 404, 404, 404, 404,
    ]);
  });

  test('needs the setup token from elsewhere, which works once and is kept as a hash', async () => {
    await fresh({ config: { signUp: 'open' } });
    const derived = setupTokenOf('a-secret-that-every-api-process-shares');
    const setupToken = (await storeSetupToken(api.services, { given: null, derived }))!;
    const { rows } = await api.db.pool.query('select setup_token_hash from instance');
    expect(rows[0].setup_token_hash.toString('latin1')).not.toContain(setupToken);
    const refused = await post('/auth/sign-up', { email: 'one@example.org', password }, remote);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      expect.stringMatching(/setup token: SETUP_TOKEN, or else the one that the log shows/),
    ]);
    expect(
      (
        await post(
          '/auth/sign-up',
          { email: 'one@example.org', password, setupToken: 'guess' },
          remote,
        )
      ).status,
    ).toBe(403);
    expect(
      (await post('/auth/sign-up', { email: 'one@example.org', password, setupToken }, remote))
        .status,
    ).toBe(201);
    expect(await storeSetupToken(api.services, { given: null, derived })).toBeNull();
    expect(
      (await api.db.pool.query('select setup_token_hash from instance')).rows[0].setup_token_hash,
    ).toBeNull();
  });

  test('accepts the setup token that a setting gives, which is not shown', async () => {
    await fresh();
    const setupToken = 'otters-row-home-by-seven';
    const tokens = { given: setupToken, derived: 'of-the-secret' };
    expect(await storeSetupToken(api.services, tokens)).toBeNull();
    const body = { email: 'one@example.org', password };
    expect((await post('/auth/sign-up', body, remote)).status).toBe(403);
    expect((await post('/auth/sign-up', { ...body, setupToken }, remote)).status).toBe(201);
  });

  test.each([
    ['an unknown proxy', { 'x-forwarded-for': '127.0.0.1' }],
    ['a page that rebinds its host name to us', { 'x-forwarded-host': 'evil.example.org' }],
  ])('treats %s as another machine', async (_name, headers) => {
    await fresh({ config: { signUp: 'invite' } });
    expect(
      (await post('/auth/sign-up', { email: 'one@example.org', password }, headers)).status,
    ).toBe(403);
  });

  test('is the only one where sign-up is closed, invitations included', async () => {
    await fresh({ config: { signUp: 'closed' } });
    const first = await post('/auth/sign-up', { email: 'one@example.org', password });
    expect(first.status).toBe(201);
    const owner = cookieOf(first);
    expect(await api.ok('GET /auth/state')).toEqual({
      signUp: 'closed',
      signUpOpen: false,
      signedIn: false,
      needsFirstUser: false,
    });
    const before = await describeTables(api);
    expect((await post('/auth/sign-up', { email: 'two@example.org', password })).status).toBe(404);
    const refused = await api.call(
      'POST /workspace/invites',
      { body: { email: 'two@example.org' } },
      owner,
    );
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      403,
      'forbidden',
      expect.stringContaining('SIGN_UP=closed'),
    ]);
    expect(await describeTables(api)).toEqual(before);
    // An invitation from before sign-up was closed does not work while it is closed.
    const open = await startApi({
      db: api.db,
      config: { signUp: 'invite' },
      deps: { authSecret: api.authSecret },
    });
    const { acceptUrl } = await open.ok(
      'POST /workspace/invites',
      { body: { email: 'two@example.org' } },
      owner,
    );
    const accept = (on: TestApi) =>
      on.call('POST /auth/invites/{token}/accept', {
        params: { token: acceptUrl!.split('#')[1]! },
        body: { password },
      });
    expect((await accept(api)).status).toBe(404);
    expect((await accept(open)).status).toBe(201);
    await open.close();
  });
});
