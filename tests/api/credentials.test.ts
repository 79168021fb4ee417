import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { operationList, type OperationKey } from '#contract/index.ts';
import { routes } from '#api/routes/index.ts';
import { openDatabase } from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import { createTokenSecret, isTokenSecret } from '#domain/accounts/tokens/token-secret.ts';
import { silentLogger } from '#lib/logger.ts';
import {
  isMetered,
  startApi,
  type Account,
  type Credential,
  type TestApi,
} from '../harness/api.ts';
import { describeTables } from './keywords.fixtures.ts';

let api: TestApi;
const bearer = (secret: string): Credential => ({ headers: { authorization: `Bearer ${secret}` } });
const implemented = new Set(routes.map((route) => route.key));
/**
 * Operations that exist only with billing are tested in coverage.test.ts, by a server that has it.
 */
const table = operationList.filter(
  ([key, operation]) => implemented.has(key) && !operation.metered,
);
const pathOf = (key: string) =>
  key
    .slice(key.indexOf(' ') + 1)
    .replace('{date}', '2026-11-21')
    .replace(/\{\w+\}/g, '999999');
const send = (key: string, credential: Credential | null, headers: Record<string, string> = {}) => {
  const method = key.split(' ')[0]!;
  const body = method === 'GET' ? null : { body: '{}' };
  return api.raw(
    pathOf(key),
    {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...body,
    },
    credential,
  );
};

/** A person who may see everything. */
async function signUpAdmin(): Promise<Account> {
  const account = await api.signUp();
  await api.db.pool.query('update users set operator = true where id = $1', [account.userId]);
  return account;
}

async function rowCounts(): Promise<Record<string, number>> {
  const { rows } = await api.db.pool.query(
    `select c.relname as name, (xpath('/row/n/text()',
       query_to_xml(format('select count(*) as n from %I', c.relname), false, true,
         '')))[1]::text::int as n
     from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  return Object.fromEntries(rows.map((row) => [row.name, row.n]));
}

/** A system pool whose statements are counted. */
async function countingApi(): Promise<{ count: () => number }> {
  api = await startApi();
  let statements = 0;
  const pool = openPool({
    url: api.db.url,
    role: 'system',
    max: 4,
    statementTimeoutMs: 10_000,
    log: silentLogger,
  });
  const connect = pool.connect.bind(pool) as () => Promise<{
    query: (...args: unknown[]) => unknown;
  }>;
  const counted = new WeakSet();
  (pool as { connect: unknown }).connect = async () => {
    const client = await connect();
    if (counted.has(client)) return client;
    counted.add(client);
    const query = client.query.bind(client);
    client.query = (...args) => {
      statements += 1;
      return query(...args);
    };
    return client;
  };
  api.services.systemDb = openDatabase(pool);
  return { count: () => statements };
}

describe('tokens', () => {
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.close());

  test('are 30 random characters and a checksum, shown once and stored as a hash', async () => {
    const ann = await api.signUp();
    const made = await api.ok('POST /tokens', { body: { name: 'ci', readOnly: true } }, ann);
    expect(made.token).toMatch(/^toprung_[0-9A-Za-z]{36}$/);
    expect(made).toMatchObject({
      name: 'ci',
      readOnly: true,
      prefix: made.token!.slice(0, 14),
      revokedAt: null,
    });
    const listed = await api.call('GET /tokens', null, ann);
    expect(listed.text).not.toContain(made.token);
    const { rows } = await api.db.pool.query(
      "select encode(secret_hash, 'hex') || row_to_json(t)::text as text from tokens t",
    );
    expect(rows.map((row) => row.text).join()).not.toContain(made.token!.slice(14));
  });

  test('cannot create tokens or owners, which would outlive them', async () => {
    const ann = await api.signUp();
    const member = await api.signUp({ workspaceId: ann.workspaceId, role: 'member' });
    const token = await api.token(ann);
    const email = 'accomplice@example.org';
    const before = await describeTables(api, ['tokens']);
    const promote = (role: 'owner' | 'member', as: Credential) =>
      api.call(
        'PATCH /workspace/members/{id}',
        { params: { id: member.userId }, body: { role } },
        as,
      );
    const refused = [
      await api.call('POST /tokens', { body: { name: 'for ever' } }, token),
      await api.call('POST /workspace/invites', { body: { email, role: 'owner' } }, token),
      await promote('owner', token),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 3 }, () => [403, 'forbidden']),
    );
    expect(await describeTables(api, ['tokens'])).toEqual(before);
    expect((await api.ok('GET /tokens', null, ann)).total).toBe(1);
    expect((await promote('owner', ann)).status).toBe(200);
    expect((await promote('member', token)).status).toBe(200);
    const invited = await api.call('POST /workspace/invites', { body: { email } }, token);
    expect([invited.status, invited.body.role]).toEqual([201, 'member']);
  });

  test('have a checksum that detects every mistake of one character', () => {
    const secret = createTokenSecret();
    expect(isTokenSecret(secret)).toBe(true);
    for (let at = 8; at < secret.length; at += 1) {
      expect(
        isTokenSecret(
          secret.slice(0, at) + (secret[at] === 'x' ? 'y' : 'x') + secret.slice(at + 1),
        ),
      ).toBe(false);
    }
  });

  test('are refused from the next request after revocation, which is idempotent', async () => {
    const ann = await api.signUp();
    const token = await api.token(ann);
    expect((await api.call('GET /workspace', null, token)).status).toBe(200);
    expect(await api.ok('DELETE /tokens/{id}', { params: { id: token.id } }, ann)).toEqual({
      id: token.id,
      deleted: true,
    });
    expect((await api.call('GET /workspace', null, token)).status).toBe(401);
    const { items } = await api.ok('GET /tokens', null, ann);
    api.clock.advance(1_000);
    await api.ok('DELETE /tokens/{id}', { params: { id: token.id } }, ann);
    expect((await api.ok('GET /tokens', null, ann)).items[0]!.revokedAt).toBe(items[0]!.revokedAt);
  });

  test('are refused after they expire, and cannot be created expired', async () => {
    const ann = await api.signUp();
    const token = await api.token(ann, {
      expiresAt: new Date(api.clock.now().getTime() + 60_000).toISOString(),
    });
    expect((await api.call('GET /workspace', null, token)).status).toBe(200);
    api.clock.advance(60_000);
    expect((await api.call('GET /workspace', null, token)).status).toBe(401);
    expect(
      (
        await api.call(
          'POST /tokens',
          { body: { name: 'x', expiresAt: '2020-01-01T00:00:00Z' } },
          ann,
        )
      ).status,
    ).toBe(400);
  });

  test('survive a change of AUTH_SECRET, which ends every session', async () => {
    const ann = await api.signUp();
    const token = await api.token(ann);
    const rotated = await startApi({
      db: api.db,
      deps: { authSecret: 'another-secret-of-more-than-32-characters' },
    });
    expect((await rotated.call('GET /workspace', null, ann)).status).toBe(401);
    expect((await rotated.call('GET /workspace', null, token)).status).toBe(200);
    await rotated.close();
  });

  test('are listed newest first in pages, and foreign cursors are refused', async () => {
    const ann = await api.signUp();
    for (let index = 0; index < 5; index += 1) await api.token(ann);
    const first = await api.ok('GET /tokens', { query: { limit: 2 } }, ann);
    const second = await api.ok(
      'GET /tokens',
      { query: { limit: 3, cursor: first.nextCursor! } },
      ann,
    );
    const ids = [...first.items, ...second.items].map((row) => row.id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect([ids.length, first.total, second.nextCursor]).toEqual([5, 5, null]);
    const bad = await api.call('GET /tokens', { query: { cursor: 'AAAA' } }, ann);
    expect(bad.body.code).toBe('invalid_cursor');
  });

  test('of a suspended workspace get 401; sessions can read and not write', async () => {
    const ann = await api.signUp();
    const token = await api.token(ann);
    await api.db.pool.query('update workspaces set suspended_at = now() where id = $1', [
      ann.workspaceId,
    ]);
    expect((await api.call('GET /workspace', null, token)).status).toBe(401);
    expect((await api.call('GET /workspace', null, ann)).status).toBe(200);
    const write = await api.call('PATCH /workspace', { body: { name: 'x' } }, ann);
    expect([write.status, write.body.code]).toEqual([403, 'workspace_suspended']);
  });

  test('that are read-only may call exactly what the table allows', async () => {
    const ann = await signUpAdmin();
    const token = await api.token(ann, { readOnly: true });
    const open = table.filter(([, operation]) => operation.rateClass !== 'auth');
    for (const [key] of open.filter(([, operation]) => operation.readOnlyToken)) {
      expect([key, (await send(key, token)).body?.code === 'read_only_token']).toEqual([
        key,
        false,
      ]);
    }
    const before = await rowCounts();
    for (const [key] of open.filter(([, operation]) => !operation.readOnlyToken)) {
      const { status, body } = await send(key, token);
      expect([key, status, body?.code]).toEqual([key, 403, 'read_only_token']);
    }
    expect(await rowCounts()).toEqual(before);
  });
});

describe('the cost of a credential', () => {
  afterEach(() => api.close());

  // With billing, counting costs statements of its own.
  test.skipIf(isMetered)(
    'is no statement for a malformed or unsigned one, and one for a valid one',
    async () => {
      const { count } = await countingApi();
      const ann = await api.signUp();
      const token = await api.token(ann);
      const bad = token.secret.slice(0, -1) + (token.secret.endsWith('a') ? 'b' : 'a');
      const before = count();
      for (const credential of [
        bearer(bad),
        bearer('toprung_x'),
        bearer(''),
        { headers: { authorization: 'Basic YTpi' } },
        { headers: { cookie: `toprung_session=${'A'.repeat(43)}.${'B'.repeat(43)}` } },
      ]) {
        expect((await api.call('GET /errors', null, credential)).status).toBe(401);
      }
      expect(count() - before).toBe(0);
      expect((await api.call('GET /errors', null, ann)).status).toBe(200);
      expect(count() - before).toBe(1);
      await api.call('GET /errors', null, token);
      await expect.poll(() => count() - before).toBe(3);
      await Promise.all(Array.from({ length: 50 }, () => api.call('GET /errors', null, token)));
      // 50 reads and not one more write within the minute
      expect(count() - before).toBe(53);
      await api.services.systemDb.destroy();
    },
  );
});

// What does not depend on plans, or has them anyway, is tested once.
describe.skipIf(isMetered)('a cached credential', () => {
  let here: TestApi;
  let there: TestApi;
  beforeAll(async () => {
    here = await startApi({ deps: { credentialCacheMs: 800 }, settings: { billingEnabled: true } });
    there = await startApi({
      db: here.db,
      deps: { credentialCacheMs: 800, authSecret: here.authSecret },
    });
  });
  afterAll(async () => {
    await there.close();
    await here.close();
  });

  const ask = async (on: TestApi, credential: Credential) =>
    (await on.call('GET /auth/session', null, credential)).status;
  const longestMs = 5_000;
  const refusedWithinMs = async (on: TestApi, credential: Credential) => {
    const startMs = performance.now();
    while ((await ask(on, credential)) !== 401) {
      if (performance.now() - startMs > longestMs) break;
      await sleep(20);
    }
    return performance.now() - startMs;
  };

  test('is not looked up again, and is refused everywhere a second after revocation', async () => {
    const account = await here.signUp();
    const tokens = await Promise.all(Array.from({ length: 5 }, () => here.token(account)));
    const times: number[] = [];
    for (const token of tokens) {
      expect([await ask(here, token), await ask(there, token)]).toEqual([200, 200]);
      await here.ok('DELETE /tokens/{id}', { params: { id: token.id } }, account);
      expect(await ask(here, token)).toBe(401);
      times.push(await refusedWithinMs(there, token));
    }
    // A busy machine may hold one of them up; kept for longer, none would be in time.
    expect(times.toSorted((a, b) => a - b)[1]).toBeLessThan(1_000);
    expect(Math.max(...times)).toBeLessThan(longestMs);
  });

  test('is the whole cookie: its session with another signature is refused', async () => {
    const { headers } = await here.signUp();
    const cookie = headers.cookie!;
    const last = cookie.at(-1) === 'A' ? 'B' : 'A';
    const forged = { headers: { cookie: `${cookie.slice(0, -1)}${last}` } };
    expect(await ask(here, { headers: { cookie } })).toBe(200);
    expect(await ask(here, forged)).toBe(401);
    expect(await ask(here, { headers: { cookie } })).toBe(200);
  });

  test('is not cached if it was revoked during the lookup', async () => {
    const account = await here.signUp();
    for (let round = 0; round < 20; round += 1) {
      const token = await here.token(account);
      const asking = Array.from({ length: 8 }, () => ask(here, token));
      await here.ok('DELETE /tokens/{id}', { params: { id: token.id } }, account);
      expect(await ask(here, token)).toBe(401);
      await Promise.all(asking);
      expect(await ask(here, token)).toBe(401);
    }
  });

  test('is invalid right after a sign-out, password change or suspension', async () => {
    const [one, two] = [await here.signUp(), await here.signUp()];
    expect([await ask(here, one), await ask(here, two)]).toEqual([200, 200]);
    await here.ok('POST /auth/sign-out', null, one);
    expect(await ask(here, one)).toBe(401);
    const token = await here.token(two);
    expect(await ask(here, token)).toBe(200);
    const operator = await here.signUp();
    await here.db.pool.query('update users set operator = true where id = $1', [operator.userId]);
    await expect
      .poll(() => here.call('GET /admin/workspaces', null, operator).then(({ status }) => status), {
        timeout: 60_000,
      })
      .toBe(200);
    await here.ok(
      'POST /admin/workspaces/{id}/suspend',
      { params: { id: two.workspaceId }, body: { reason: 'abuse' } },
      operator,
    );
    expect(await ask(here, token)).toBe(401);
  });
});

describe.skipIf(isMetered)('cross-site requests', () => {
  beforeAll(async () => {
    api = await startApi({ config: { publicUrl: 'https://aso.example.org' } });
  });
  afterAll(() => api.close());

  test('cannot use the cookie, for every write operation in six variants', async () => {
    const ann = await signUpAdmin();
    const token = await api.token(ann);
    const cookie = ann.headers.cookie!.replace('toprung_session', '__Host-toprung_session');
    const ways: [Record<string, string>, boolean][] = [
      [{ 'sec-fetch-site': 'cross-site' }, false],
      [{ 'sec-fetch-site': 'same-site' }, false],
      [{ origin: 'https://evil.example.org' }, false],
      [{}, false],
      [{ 'sec-fetch-site': 'same-origin' }, true],
      [{ origin: 'https://aso.example.org' }, true],
    ];
    // Signing out would end the session that the others need.
    const changing = table.filter(
      ([key, operation]) =>
        !key.startsWith('GET') && operation.rateClass !== 'auth' && key !== 'DELETE /auth/sessions',
    );
    for (const [key] of changing) {
      for (const [headers, isOwn] of ways) {
        const { body } = await send(key, { headers: { cookie } }, headers);
        expect([
          key,
          headers,
          body?.code === 'forbidden' && body.message.includes('another site'),
        ]).toEqual([key, headers, !isOwn]);
      }
      const { body } = await send(key, token, { 'sec-fetch-site': 'cross-site', cookie });
      expect([key, body?.message ?? '']).toEqual([
        key,
        expect.not.stringContaining('another site'),
      ]);
    }
    for (const key of [
      'POST /auth/sign-in',
      'POST /auth/sign-up',
      'POST /auth/sign-out',
    ] satisfies OperationKey[]) {
      expect([
        key,
        (await send(key, { headers: { cookie } }, { 'sec-fetch-site': 'cross-site' })).status,
      ]).toEqual([key, 403]);
      expect([key, (await send(key, null, { origin: 'https://evil.example.org' })).status]).toEqual(
        [key, 403],
      );
    }
  });
});

describe.skipIf(isMetered)(
  'the password of a reverse proxy, which browsers send by themselves',
  () => {
    beforeAll(async () => {
      api = await startApi();
    });
    afterAll(() => api.close());
    const ofProxy = { authorization: 'Basic aG9tZTpsYWI=' };
    const limited = (address: string) => ({ 'x-forwarded-for': address });

    test('leaves the session in effect, which other sites still cannot use', async () => {
      const ann = await api.signUp();
      const ask = (key: string, more: Record<string, string> = {}) =>
        send(key, ann, { ...ofProxy, ...limited('127.9.7.1'), ...more });
      for (let count = 0; count < 130; count += 1)
        expect((await ask('GET /auth/session')).status).toBe(200);
      expect((await ask('POST /apps', { 'sec-fetch-site': 'same-origin' })).status).toBe(400);
      for (const key of ['POST /apps', 'POST /auth/sign-out', 'POST /auth/sign-in']) {
        const { status, body } = await ask(key, { 'sec-fetch-site': 'cross-site' });
        expect([key, status, body.code]).toEqual([key, 403, 'forbidden']);
      }
    });

    test('is no session, and does not let other sites sign in', async () => {
      const from = { ...ofProxy, ...limited('127.9.7.2') };
      const foreign = { ...from, origin: 'https://evil.example.org' };
      for (const key of ['POST /auth/sign-in', 'POST /auth/password/forgot'])
        expect((await send(key, null, foreign)).status).toBe(403);
      expect((await send('GET /auth/state', null, from)).body.signedIn).toBe(false);
      expect((await send('GET /errors', null, from)).status).toBe(401);
    });

    test('does not take the place of a token', async () => {
      const [ann, bob] = [await api.signUp(), await api.signUp()];
      const token = await api.token(bob);
      const both = { ...token.headers, cookie: ann.headers.cookie! };
      expect((await api.raw('/workspace', {}, { headers: both })).body.id).toBe(bob.workspaceId);
      const rejected = { ...both, authorization: 'Bearer x' };
      expect((await api.raw('/workspace', {}, { headers: rejected })).status).toBe(401);
    });
  },
);

test.skipIf(isMetered)('no secret is logged, whatever fails', async () => {
  let logged = '';
  const log = pino({ level: 'trace' }, { write: (line: string) => (logged += line) });
  const pool = openPool({
    url: 'postgres://leak:hunter2@127.0.0.1:1/none',
    role: 'system',
    max: 1,
    statementTimeoutMs: 1_000,
    log,
  });
  api = await startApi({ services: { log } });
  const ann = await api.signUp();
  const token = await api.token(ann);
  await api.call('POST /auth/sign-in', {
    body: { email: 'marker@example.org', password: 'marker-password-1' },
  });
  await api.raw(`/nothing?token=${token.secret}`, {}, token);
  await api.raw(
    '/tokens',
    {
      method: 'POST',
      body: '{"name":"a\\r\\nforged"}',
      headers: { 'content-type': 'application/json' },
    },
    ann,
  );
  api.services.systemDb = openDatabase(pool);
  expect((await api.call('GET /workspace', null, token)).status).toBe(503);
  expect(
    (
      await api.call('POST /auth/sign-in', {
        body: { email: 'marker@example.org', password: 'marker-password-1' },
      })
    ).status,
  ).toBe(503);
  const secrets = [
    token.secret,
    ann.headers.cookie!.slice(20),
    'marker-password-1',
    'marker@example.org',
    api.authSecret,
    'hunter2',
    'forged',
  ];
  expect(logged).toContain('answered');
  expect(secrets.filter((secret) => logged.includes(secret))).toEqual([]);
  await api.close();
  await pool.end();
});

test.skipIf(isMetered)(
  'a session cookie whose last character differs in unused bits is refused',
  async () => {
    api = await startApi();
    const ann = await api.signUp();
    const cookie = ann.headers.cookie!;
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    // 43 characters have two bits more than 32 bytes: both texts decode to the same ones.
    const twin = cookie.slice(0, -1) + alphabet[alphabet.indexOf(cookie.at(-1)!) ^ 1];
    const bytesOf = (text: string) => Buffer.from(text.split('.').at(-1)!, 'base64url');
    expect(bytesOf(twin)).toEqual(bytesOf(cookie));
    expect((await api.raw('/workspace', { headers: { cookie } })).status).toBe(200);
    expect((await api.raw('/workspace', { headers: { cookie: twin } })).status).toBe(401);
    await api.close();
  },
);

test.skipIf(isMetered)('requests without a host or with two credentials are refused', async () => {
  api = await startApi();
  const ann = await api.signUp();
  const both = await api.raw('/workspace', { headers: { authorization: 'Bearer nonsense' } }, ann);
  expect(both.status).toBe(401);
  const status = await new Promise<number>((resolve, reject) => {
    const request = httpRequest(`${api.url}/workspace`, { setHost: false }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    request.on('error', reject).end();
  });
  expect(status).toBe(400);
  await api.close();
});
