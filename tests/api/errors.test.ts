import { once } from 'node:events';
import { connect, createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { errorCodes, errorEnvelope } from '#contract/errors.ts';
import { operationsOf } from '#contract/operation.ts';
import { AppError } from '#domain/base/errors.ts';
import { StoreError } from '#domain/base/ports.ts';
import { openDatabase } from '#db/database.ts';
import { openPool } from '#db/pool.ts';
import { routes } from '#api/routes/index.ts';
import { routesOf } from '#api/route.ts';
import { silentLogger } from '#lib/logger.ts';
import { canWrite } from '#domain/scheduling/health/can-write.ts';
import { startApi, type Account, type RawResponse, type TestApi } from '../harness/api.ts';

const probes = operationsOf({
  'GET /probe/{what}': {
    summary: 'fails as requested',
    description: 'Fails as requested.',
    rateClass: 'read',
    readOnlyToken: true,
    params: z.strictObject({ what: z.string() }),
    responses: { 200: z.strictObject({}) },
  },
});
const failures: Record<string, () => Error> = {
  crash: () => new Error('select secret from /srv/app/file.ts'),
  refused: () =>
    new StoreError({
      store: 'ios',
      failure: 'refused',
      marker: '403',
      message: 'x',
      retryAfterMs: 90_500,
    }),
  unreadable: () =>
    new StoreError({ store: 'ios', failure: 'unreadable', marker: 'shape', message: 'x' }),
  unavailable: () =>
    new StoreError({ store: 'ios', failure: 'unavailable', marker: 'timeout', message: 'x' }),
  not_offered: () =>
    new StoreError({ store: 'ios', failure: 'not_offered', marker: '404', message: 'x' }),
  bad_request: () =>
    new StoreError({ store: 'ios', failure: 'bad_request', marker: 'x', message: 'x' }),
  queue_full: () => new AppError('queue_full'),
};
const probeRoutes = routesOf(probes, {
  'GET /probe/{what}': ({ params }) => {
    const failure = failures[params.what];
    if (failure) throw failure();
    return { undocumented: true } as never;
  },
});

let api: TestApi;
let ann: Account;
beforeAll(async () => {
  api = await startApi({ routes: [...routes, ...probeRoutes], deps: { validateResponses: false } });
  ann = await api.signUp();
});
afterAll(() => api.close());

const json = { 'content-type': 'application/json' };
const patch = (body: string | Buffer, headers: Record<string, string> = json) =>
  api.raw('/workspace', { method: 'PATCH', body: body as string, headers }, ann);

function expectEnvelope(response: RawResponse, status: number, code: string): void {
  expect([response.status, response.body?.code]).toEqual([status, code]);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(errorEnvelope.safeParse(response.body).error).toBeUndefined();
  expect(response.body.statusCode).toBe(status);
  expect(response.body.issues === undefined).toBe(status !== 400);
}

/** Raw bytes over a socket. */
function sendBytes(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () =>
      socket.write(bytes, 'latin1'),
    );
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

describe('every error has the same envelope', () => {
  test.each([
    ['malformed JSON', '{"name":'],
    ['bad UTF-8', Buffer.from([0x7b, 0x22, 0x6e, 0xff, 0x22, 0x7d])],
    ['65 levels', `{"name":${'['.repeat(65)}${']'.repeat(65)}}`],
    ['10,000 levels', '['.repeat(10_000)],
    ['__proto__', '{"name":"x","__proto__":{"a":1}}'],
    ['an escaped __proto__', '{"name":"x","\\u005f_proto__":{"a":1}}'],
    ['constructor', '{"name":"x","constructor":{"prototype":{"a":1}}}'],
    ['a duplicate member', '{"name":"x","name":"y"}'],
    ['NUL', '{"name":"a\\u0000b"}'],
    ['half of a surrogate pair', '{"name":"a\\ud800b"}'],
    ['an unknown member', '{"name":"x","nom":"y"}'],
    ['null for text', '{"name":null}'],
    ['a number for text', '{"name":5}'],
    ['nothing', ''],
    ['an array', '[]'],
    ['text', '"x"'],
    ['81 characters', JSON.stringify({ name: 'x'.repeat(81) })],
    ['only blanks', '{"name":"   "}'],
  ])('400 for %s, and nothing is written', async (_name, body) => {
    const before = await api.db.pool.query('select name from workspaces order by id');
    expectEnvelope(await patch(body), 400, 'invalid_request');
    expect((await api.db.pool.query('select name from workspaces order by id')).rows).toEqual(
      before.rows,
    );
  });

  test('issues have path, rule, limit and actual value, and never repeat a text', async () => {
    const { body } = await patch(JSON.stringify({ name: 'secret'.repeat(20), more: 1 }));
    expect(body.issues).toEqual([
      { path: 'name', code: 'too_long', message: expect.any(String), limit: 80, actual: 120 },
      {
        path: 'more',
        code: 'unknown_member',
        message: 'not a member of this request',
        limit: null,
        actual: null,
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('secretsecret');
  });

  test.each([
    ['no', {}],
    ['text/plain', { 'content-type': 'text/plain' }],
    ['a garbage', { 'content-type': 'application/jsonx;;' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ])('415 for a body with %s content type', async (_name, headers) => {
    const bytes = Buffer.from('{"name":"x"}');
    expectEnvelope(await patch(bytes, headers), 415, 'unsupported_media_type');
  });

  test.each([
    ['upper case', 'APPLICATION/JSON'],
    ['a charset', 'application/json; charset=utf-8'],
    ['a leading space', ' application/json'],
    ['a trailing tab', 'application/json\t;charset=utf-8'],
  ])('a content type with %s is JSON or refused, never unchecked', async (_name, type) => {
    const good = await patch('{"name":"fine"}', { 'content-type': type });
    const bad = await patch('{"name":5}', { 'content-type': type });
    expect([200, 415]).toContain(good.status);
    expect([400, 415]).toContain(bad.status);
  });

  test('413 beyond 256 KiB, announced or streamed', async () => {
    expectEnvelope(
      await patch(JSON.stringify({ name: 'x'.repeat(256 * 1024) })),
      413,
      'payload_too_large',
    );
  });

  test('404 for unknown paths, 405 with the methods for known ones', async () => {
    expectEnvelope(await api.raw('/nothing', {}, ann), 404, 'not_found');
    expectEnvelope(await api.raw('/workspace/', {}, ann), 404, 'not_found');
    expectEnvelope(await api.raw('/WORKSPACE', {}, ann), 404, 'not_found');
    const wrong = await api.raw(
      '/workspace',
      { method: 'PUT', body: 'x', headers: { 'content-type': 'text/plain' } },
      ann,
    );
    expectEnvelope(wrong, 405, 'method_not_allowed');
    expect(wrong.body.message).toContain('GET, HEAD, PATCH, DELETE');
    expect(wrong.headers.get('allow')).toBe('GET, HEAD, PATCH, DELETE');
    expect((await api.raw('/apps', { method: 'PUT' }, ann)).headers.get('allow')).toBe(
      'GET, HEAD, POST',
    );
    for (const path of ['/apps/', '/apps/1/', '/apps//keywords', '/keywords/'])
      expectEnvelope(await api.raw(path, {}, ann), 404, 'not_found');
  });

  test('401 comes before 405, and before 400 for paths that cannot be routed', async () => {
    for (const method of ['PUT', 'HEAD', 'OPTIONS'])
      expect([method, (await api.raw('/apps', { method })).status]).toEqual([method, 401]);
    expectEnvelope(await api.raw('/apps', { method: 'PUT' }), 401, 'unauthenticated');
    expectEnvelope(await api.raw('/auth/sign-in', { method: 'PUT' }), 405, 'method_not_allowed');
    for (const path of [
      `/apps/${'9'.repeat(201)}`,
      `/apps/${'x'.repeat(5_000)}`,
      '/apps/%E0%A4%A',
    ]) {
      expectEnvelope(await api.raw(path), 401, 'unauthenticated');
      const response = await api.raw(path, {}, ann);
      expectEnvelope(response, 400, 'invalid_request');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test('415 for a compressed body', async () => {
    const packed = gzipSync('{"name":"x"}');
    expectEnvelope(
      await patch(packed, { ...json, 'content-encoding': 'gzip' }),
      415,
      'unsupported_media_type',
    );
    expectEnvelope(
      await patch('{"name":"x"}', { ...json, 'content-encoding': 'gzip' }),
      415,
      'unsupported_media_type',
    );
    expect((await patch('{"name":"x"}', { ...json, 'content-encoding': 'identity' })).status).toBe(
      200,
    );
  });

  test('a malformed country has its own code; a missing one does not', async () => {
    expectEnvelope(
      await api.raw('/store/apps/search?store=ios&q=x&country=US', {}, ann),
      400,
      'invalid_country',
    );
    expectEnvelope(
      await api.raw('/store/apps/search?store=ios&q=x', {}, ann),
      400,
      'invalid_request',
    );
    const add = await api.call(
      'POST /apps',
      { body: { store: 'ios', storeAppId: '1', lookupCountry: 'US' } },
      ann,
    );
    expectEnvelope(add, 400, 'invalid_country');
    expect(add.body.issues).toEqual([
      {
        path: 'lookupCountry',
        code: 'wrong_form',
        message: 'two lowercase letters',
        limit: null,
        actual: 'string',
      },
    ]);
  });

  test.each(['0000-01-01', '0001-01-01', '1999-12-31', '3000-01-01', '9999-12-31'])(
    '400 for the day %s',
    async (day) => {
      for (const path of [`/runs?from=${day}&to=${day}`, `/runs?to=${day}`, `/runs/${day}`])
        expectEnvelope(await api.raw(path, {}, ann), 400, 'invalid_request');
    },
  );

  test('the first and the last day possible do not fail', async () => {
    for (const path of [
      '/runs?from=2000-01-01&to=2000-01-02',
      '/runs/2000-01-01',
      '/runs/2999-12-31',
    ])
      expect([path, (await api.raw(path, {}, ann)).status < 500]).toEqual([path, true]);
  });

  test.each([
    '2027-02-30T00:00:00Z',
    '2027-13-01T00:00:00Z',
    '2027-01-01T24:00:00Z',
    '2027-01-01T00:60:00Z',
  ])('400 for the instant %s, which does not exist', async (expiresAt) =>
    expectEnvelope(
      await api.call('POST /tokens', { body: { name: 'x', expiresAt } }, ann),
      400,
      'invalid_request',
    ),
  );

  test('limits and actual values count characters as people do', async () => {
    const name = (count: number) =>
      api.call('POST /tokens', { body: { name: '🌵'.repeat(count) } }, ann);
    expect((await name(60)).status).toBe(201);
    expect((await name(61)).body.issues).toEqual([
      { path: 'name', code: 'too_long', message: 'at most 60 characters', limit: 60, actual: 61 },
    ]);
  });

  test('a list that is computed as a whole is cut into pages', async () => {
    const whole = (await api.raw('/errors', {}, ann)).body;
    const codes: string[] = [];
    let cursor: string | null = null;
    do {
      const page: RawResponse = await api.raw(
        `/errors?limit=7${cursor ? `&cursor=${cursor}` : ''}`,
        {},
        ann,
      );
      expect([page.status, page.body.total, page.body.items.length <= 7]).toEqual([
        200,
        whole.total,
        true,
      ]);
      codes.push(...page.body.items.map(({ code }: { code: string }) => code));
      cursor = page.body.nextCursor;
    } while (cursor !== null);
    expect(codes).toEqual(errorCodes);
    const { nextCursor } = (await api.raw('/errors?limit=7', {}, ann)).body;
    for (const path of ['/tags?', '/store/apps/search?store=ios&q=x&country=us&'])
      expectEnvelope(await api.raw(`${path}cursor=${nextCursor}`, {}, ann), 400, 'invalid_cursor');
  });

  test('all faults of all parts are reported, with the number that was sent', async () => {
    const { body } = await api.raw('/apps/0/keywords?limit=501&more=1&country=US', {}, ann);
    expect(body.issues).toEqual([
      expect.objectContaining({ path: 'params.id', code: 'too_small', limit: 1, actual: 0 }),
      expect.objectContaining({ path: 'query.limit', code: 'too_large', limit: 500, actual: 501 }),
      expect.objectContaining({ path: 'query.country', code: 'wrong_form' }),
      expect.objectContaining({ path: 'query.more', code: 'unknown_member' }),
    ]);
  });

  test('a cursor works only in its own list, and the error names it', async () => {
    const lists = ['/apps', '/jobs', '/tokens', '/runs'];
    const forged = [
      [0],
      [-1],
      [5],
      ['token:5'],
      ['apps', 0],
      ['apps', -1],
      ['jobs', 0],
      ['jobs', -1],
      ['tokens', 0],
      ['2026-02-30'],
    ];
    const cursorOf = (parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    for (const path of lists) {
      for (const parts of [
        ...forged,
        ...lists.filter((other) => other !== path).map((other) => [other.slice(1), 5]),
      ]) {
        const response = await api.raw(`${path}?cursor=${cursorOf(parts)}`, {}, ann);
        expect([path, parts, response.status, response.body.code]).toEqual([
          path,
          parts,
          400,
          'invalid_cursor',
        ]);
        expect(response.body.issues).toEqual([
          {
            path: 'query.cursor',
            code: 'invalid',
            message: 'a cursor that this list returned',
            limit: null,
            actual: null,
          },
        ]);
      }
    }
    for (const path of lists.slice(0, 3))
      expect(
        (await api.raw(`${path}?cursor=${cursorOf([path.slice(1), 5])}`, {}, ann)).status,
      ).toBe(200);
  });

  test.each([
    '/tokens?limit=1&limit=2',
    '/tokens?limit=0',
    '/tokens?limit=501',
    '/tokens?limit=5.0',
    '/tokens?limit=+5',
    '/tokens?limit=%205',
    '/tokens?limit=05',
    '/tokens?limit=1e2',
    '/tokens?limit=',
    '/tokens?more=1',
    '/tokens?cursor=%ff',
    '/tokens?cursor=a%00b',
    '/tokens?__proto__=1',
    '/tokens?limit=10&limit',
    '/errors?x=1',
    `/tokens?${'a=1&'.repeat(60)}`,
  ])('400 for the query of %s', async (path) =>
    expectEnvelope(await api.raw(path, {}, ann), 400, 'invalid_request'),
  );

  test.each([
    '/apps/0',
    '/apps/-1',
    '/apps/1.0',
    '/apps/2147483648',
    '/apps/x',
    '/apps/%00',
    '/apps/%E0%A4%A',
    '/apps/1%2f2',
    '/runs/2026-02-30',
    '/keywords/99999999999999999999',
  ])('400 for the path %s', async (path) => {
    expectEnvelope(await api.raw(path, {}, ann), 400, 'invalid_request');
  });

  test.each([
    ['malformed HTTP', 'NONSENSE\r\n\r\n', 400],
    ['endless headers', `GET /errors HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    [
      'two lengths',
      'POST /tokens HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
    ],
    ['no host', 'GET /errors HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
  ])('%s gets a response in JSON too', async (_name, bytes, status) => {
    const response = await sendBytes(bytes);
    expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const body = errorEnvelope.parse(JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4)));
    expect(body.statusCode).toBe(status);
    expect(response).toMatch(/x-content-type-options: nosniff\r\n/);
    expect(response).toContain("content-security-policy: default-src 'none'");
  });

  test.each([
    ['refused', 503, 'store_unavailable', '91'],
    ['unreadable', 503, 'store_unavailable', '60'],
    ['unavailable', 503, 'store_unavailable', '60'],
    ['not_offered', 404, 'store_app_not_found', null],
    ['bad_request', 400, 'invalid_request', null],
    ['queue_full', 500, 'queue_full', null],
  ])('a store that is %s results in %i %s', async (what, status, code, retryAfter) => {
    const response = await api.raw(`/probe/${what}`, {}, ann);
    expectEnvelope(response, status, code);
    expect(response.headers.get('retry-after')).toBe(retryAfter);
    expect(response.body.retryAfterSeconds ?? null).toBe(
      retryAfter === null ? null : Number(retryAfter),
    );
  });

  test('an unexpected error is 500 without details', async () => {
    const response = await api.raw('/probe/crash?', {}, ann);
    expectEnvelope(response, 500, 'internal');
    expect(response.text).not.toMatch(/secret|select|srv|\.ts/);
  });

  test('the catalogue lists every code with its meaning', async () => {
    const { items, total } = await api.ok('GET /errors', null, ann);
    expect(items.map((item) => item.code)).toEqual(errorCodes);
    expect(total).toBe(errorCodes.length);
  });

  test('the path in an error has no query, which may hold secrets', async () => {
    const { body } = await api.raw('/nothing?token=toprung_secret', {}, ann);
    expect(body.path).toBe('/nothing');
  });
});

test('in tests, a response that violates the contract fails loudly', async () => {
  const strict = await startApi({ routes: [...routes, ...probeRoutes], db: api.db });
  const { body } = await strict.raw('/probe/odd', {}, await strict.signUp());
  expect(body.message).toContain('unlike its documentation');
  await strict.close();
});

describe('while the database is down', () => {
  const withDatabaseAt = (url: string) => {
    const pool = openPool({
      url,
      role: 'system',
      max: 2,
      statementTimeoutMs: 10_000,
      log: silentLogger,
    });
    return { pool, db: openDatabase(pool) };
  };

  test('a refused connection is 503 at once, also for sign-in', async () => {
    const { db, pool } = withDatabaseAt('postgres://x:y@127.0.0.1:1/none');
    const cut = await startApi({
      db: api.db,
      services: { systemDb: db },
      deps: { authSecret: api.authSecret },
    });
    const response = await cut.call('GET /workspace', null, ann);
    expectEnvelope(response, 503, 'unavailable');
    expect(response.headers.get('retry-after')).toBe('2');
    const signIn = await cut.call('POST /auth/sign-in', {
      body: { email: 'a@example.org', password: 'x' },
    });
    expectEnvelope(signIn, 503, 'unavailable');
    const token = await api.token(ann);
    for (const caller of [ann, token]) {
      const health = await cut.raw('/health', {}, caller);
      expect([health.status, health.body]).toEqual([
        503,
        expect.objectContaining({
          status: 'degraded',
          db: { ok: false, latencyMs: null, writable: null },
          failedJobs: null,
          lastRun: null,
        }),
      ]);
    }
    expect((await cut.raw('/health')).status).toBe(401);
    const forged = { headers: { authorization: 'Bearer toprung_dead' } };
    expect((await cut.raw('/health', {}, forged)).status).toBe(401);
    await cut.close();
    await pool.end();
  });

  test('a server that refuses writes is reported, and is tried every five seconds', async () => {
    const { db, pool } = withDatabaseAt(api.db.url);
    const asked = withDatabaseAt(api.db.url);
    const away = await startApi({ db: api.db, services: { systemDb: db } });
    const emit = 'execute on function pg_logical_emit_message(boolean, text, text, boolean)';
    const owner = await away.signUp();
    expect(await canWrite(asked.db)).toBe(true);
    await api.db.pool.query(`revoke ${emit} from public`);
    try {
      const health = await away.raw('/health', {}, owner);
      expect(health.status).toBe(503);
      expect(health.body.db).toMatchObject({ ok: false, writable: false });
      expect((await away.call('GET /workspace', null, owner)).status).toBe(200);
      expect(await canWrite(asked.db)).toBe(true);
    } finally {
      await api.db.pool.query(`grant ${emit} to public`);
    }
    expect((await away.raw('/health', {}, owner)).status).toBe(503);
    await away.close();
    await Promise.all([pool.end(), asked.pool.end()]);
  });

  test('a server that accepts and stays silent is 503 within seconds', async () => {
    const silent = createTcpServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as { port: number };
    const { db } = withDatabaseAt(`postgres://x:y@127.0.0.1:${port}/none`);
    const cut = await startApi({
      db: api.db,
      services: { systemDb: db },
      deps: { authSecret: api.authSecret },
    });
    const startedMs = performance.now();
    expectEnvelope(await cut.call('GET /workspace', null, ann), 503, 'unavailable');
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    await cut.close();
    silent.close();
  });
});
